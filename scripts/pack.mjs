// `npm run pack [-- DIRECTORY]`: the tarball that people install. It holds what was built, the page inside it, and
// asks npm for nothing but the two packages that carry binaries.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What lies beside the bundle, by its place in the repository. */
const BESIDE = [
  'README.md',
  'README.zh-CN.md',
  'CHANGELOG.md',
  'LICENSE',
  'docs/app-server.md',
  'docs/config.md',
  'docs/deploy.md',
  'deploy',
];

/**
 * Packs what was built last.
 * @param {string} destination an existing directory
 * @returns {string} the path of the tarball
 */
export function pack(destination) {
  const stage = mkdtempSync(join(tmpdir(), 'tscodex-pack-'));
  try {
    layOut(stage);
    const run = spawnSync('npm', ['pack', '--json', '--pack-destination', destination], {
      cwd: stage,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (run.status !== 0)
      throw new Error(`npm pack failed: ${run.error?.message ?? `exit code ${run.status}`}`);
    return join(destination, JSON.parse(run.stdout)[0].filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function layOut(stage) {
  const dist = join(root, 'server/dist');
  // source maps are several times the size of the program
  const isShipped = (path) => !path.endsWith('.map') && !path.endsWith('THIRD-PARTY-NOTICES');
  cpSync(dist, join(stage, 'dist'), { recursive: true, filter: isShipped });
  cpSync(join(dist, 'THIRD-PARTY-NOTICES'), join(stage, 'THIRD-PARTY-NOTICES'));
  for (const path of BESIDE) cpSync(join(root, path), join(stage, path), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
  // what is inside already, and what only the repository can run
  const { devDependencies: _inside, scripts: _ours, ...published } = manifest;
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = resolve(process.argv[2] ?? root);
  mkdirSync(destination, { recursive: true });
  console.log(pack(destination));
}
