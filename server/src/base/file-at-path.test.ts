import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileAtPath } from './file-at-path.ts';

test.runIf(process.platform === 'linux')('a file that is gone is not taken for one of another name', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-file-')));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'a');
  writeFileSync(path, 'gone');
  writeFileSync(`${path} (deleted)`, 'another');
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  rmSync(path);
  expect(FileAtPath.find(`/proc/self/fd/${fd}`)).toBeNull();
  using other = FileAtPath.find(`${path} (deleted)`);
  expect(other?.found.path).toBe(`${path} (deleted)`);
});
