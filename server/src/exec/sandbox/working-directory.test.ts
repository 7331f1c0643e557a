import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandStage } from '../commands.test-support.ts';
import { realPlace } from './real-place.ts';
import { holdDirectory } from './working-directory.ts';

let dir: string;
let build: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-held-')));
  build = join(dir, 'build');
  for (const name of ['build', 'outside']) mkdirSync(join(dir, name));
});
afterEach(() => rmSync(dir, { recursive: true }));

const judged = () => realPlace(build) as NonNullable<ReturnType<typeof realPlace>>;

function exchange(target: string): void {
  renameSync(build, join(dir, 'moved'));
  symlinkSync(target, build);
}

test.each([false, true])(
  'what is exchanged right before the start is left alone (terminal: %s)',
  async (tty) => {
    const stage = await CommandStage.open();
    const place = judged();
    const held = holdDirectory(build, place);
    exchange('outside');
    const running = stage.run('pwd -P', { cwd: held.cwd, tty });
    await running.exited;
    expect(running.output().trim()).toBe(join(dir, 'moved'));
    held.close();
    await stage.close();
  },
);

test.each([
  ['a link to another directory', 'outside'],
  ['a link to the same one', 'moved'],
])('%s is not what was judged', (_, target) => {
  const place = judged();
  exchange(target);
  expect(() => holdDirectory(build, place)).toThrow(expect.objectContaining({ code: 'grants.changed' }));
});

test('nor is a new directory of the same name, nor none', () => {
  const place = judged();
  renameSync(build, join(dir, 'moved'));
  expect(() => holdDirectory(build, place)).toThrow(expect.objectContaining({ code: 'grants.changed' }));
  mkdirSync(build);
  expect(() => holdDirectory(build, place)).toThrow(expect.objectContaining({ code: 'grants.changed' }));
});

test('it runs where it was judged, held until its end', async () => {
  const stage = await CommandStage.open();
  for (const tty of [false, true]) {
    const running = stage.run('pwd; touch here', { cwd: build, judged: judged(), tty });
    await running.exited;
    expect(running.output().trim()).toBe(build);
  }
  expect(realPlace(join(build, 'here'))).not.toBeNull();
  await stage.close();
});
