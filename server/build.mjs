// Bundles the server with everything it needs but the two packages that carry binaries: one file starts several
// times as fast as a tree of modules, and installing it brings nothing else along.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { notices, packagesOf } from '../scripts/notices.mjs';
import { scriptAsText } from './script-text.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = new URL('dist/', import.meta.url);
const page = new URL('../web/dist/', import.meta.url);
/** Vendored: the package itself would be compiled where it is installed. */
const grammar = new URL('src/approvals/tree-sitter-bash/', import.meta.url);
/** Written by the page's build: the packages in it. It is not the page's. */
const PAGE_PACKAGES = 'bundled-packages.json';
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const PROGRAMS = ['tscodex-ws', 'tscodex'];

/** Each by itself: what they have in common would be a dozen files, which Node looks for one after another. */
const built = await Promise.all(PROGRAMS.map(bundled));
const inPage = JSON.parse(readFileSync(new URL(PAGE_PACKAGES, page), 'utf8'));
const inputs = new Set(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
const inServer = [...packagesOf([...inputs], here), fileURLToPath(grammar)];
const thirdParty = notices([...inServer, ...inPage]);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
for (const { outputFiles } of built)
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
for (const program of PROGRAMS) chmodSync(new URL(`${program}.js`, dist), 0o755);
cpSync(page, new URL('public', dist), {
  recursive: true,
  filter: (path) => !path.endsWith(PAGE_PACKAGES),
});
cpSync(new URL('../workspaces.example.json', import.meta.url), new URL('workspaces.example.json', dist));
writeFileSync(new URL('THIRD-PARTY-NOTICES', dist), thirdParty);

function bundled(program) {
  return build({
    absWorkingDir: here,
    entryPoints: [`src/cli/${program}.ts`],
    outdir: 'dist',
    bundle: true,
    plugins: [scriptAsText],
    // a build that fails leaves the one before in place
    write: false,
    // what is imported lazily gets a chunk of its own
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    minifySyntax: true,
    minifyWhitespace: true,
    // THIRD-PARTY-NOTICES has them all
    legalComments: 'none',
    metafile: true,
    loader: { '.md': 'text', '.wasm': 'file' },
    // its other form cannot be bundled: it hides what it requires
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // what stays a dependency; all else is a devDependency and ends up inside
    external: Object.keys(dependencies),
    // dependencies that are CommonJS call `require` for what Node itself has
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
    },
  });
}
