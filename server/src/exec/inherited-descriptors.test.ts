import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';

test('what the server was itself started with stays out of its commands', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tscodex-inherited-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const outfile = join(dir, 'server.mjs');
  const list = 'readlink /proc/self/fd/*; echo "$0"; type -t exec';
  await build({
    stdin: {
      contents: `import { spawnSync } from 'node:child_process';
        import { InheritedDescriptors } from './inherited-descriptors.ts';
        const [file, ...args] = new InheritedDescriptors().keptFrom({
          argv: ['/bin/bash', '-c', ${JSON.stringify(list)}, 'name'],
        });
        spawnSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });`,
      ...{ resolveDir: import.meta.dirname, loader: 'ts' },
    },
    ...{ bundle: true, format: 'esm', platform: 'node', outfile },
  });
  const secret = join(dir, 'secret');
  writeFileSync(secret, '');
  const fd = openSync(secret, 'r');
  onTestFinished(() => closeSync(fd));
  const run = (script: string) =>
    spawnSync('/bin/bash', ['-c', script, process.execPath, outfile], {
      stdio: ['ignore', 'pipe', 'inherit', fd],
      encoding: 'utf8',
    }).stdout;
  // Node marks the low numbers by itself; the function would be what closes the other, were it taken from the environment
  const stdout = run(
    'exec 212<&3; exec() { command exec "$0" "$@"; }; export -f exec; command exec "$0" "$1"',
  );
  expect(stdout).toMatch(/\nname\nfunction\n$/);
  expect(stdout).not.toContain(secret);
});
