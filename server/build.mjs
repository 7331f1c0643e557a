// Bundles the server with everything it needs but the two packages that carry binaries: one file starts several
// times as fast as a tree of modules, and installing it brings nothing else along.
import { cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const dist = new URL('dist/', import.meta.url);
rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: new URL('.', import.meta.url).pathname,
  entryPoints: ['src/cli/tscodex-ws.ts'],
  outdir: 'dist',
  bundle: true,
  // what is imported lazily gets a chunk of its own
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  loader: { '.md': 'text' },
  external: ['libsql', '@lydell/node-pty'],
  // dependencies that are CommonJS call `require` for what Node itself has
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
  },
});
cpSync(new URL('../web/dist', import.meta.url), new URL('public', dist), { recursive: true });
cpSync(new URL('../workspaces.example.json', import.meta.url), new URL('workspaces.example.json', dist));
