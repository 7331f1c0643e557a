import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boardVersion } from './board.ts';
import { watchBoard } from './board-watch.ts';

let dir: string;
let board: string;
let stop: () => void;
let told: (string | null)[];
let wake: () => void;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'board-watch-')));
  board = join(dir, 'work', '.tscodex', 'board.html');
  told = [];
  wake = () => undefined;
  stop = () => undefined;
});
afterEach(() => {
  stop();
  rmSync(dir, { recursive: true });
});

function start(version: string | null): void {
  stop = watchBoard(board, version, (next) => {
    told.push(next);
    wake();
  });
}

/** Waits until the version told last is that of the file. */
async function upToDate(): Promise<string | null> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const version = await boardVersion(board);
    if (told.at(-1) === version) return version;
    await changed;
  }
}

test('it is told of a board that comes with its directories, changes, is replaced, goes and comes again', async () => {
  start(null);
  mkdirSync(join(dir, 'work', '.tscodex'), { recursive: true });
  writeFileSync(board, 'one');
  expect(await upToDate()).not.toBeNull();

  writeFileSync(board, 'second');
  await upToDate();

  writeFileSync(`${board}.tmp`, 'replaced whole');
  renameSync(`${board}.tmp`, board);
  await upToDate();

  rmSync(join(dir, 'work'), { recursive: true });
  expect(await upToDate()).toBeNull();

  mkdirSync(join(dir, 'work', '.tscodex'), { recursive: true });
  writeFileSync(board, 'again');
  expect(await upToDate()).not.toBeNull();
  writeFileSync(board, 'and again');
  await upToDate();
  expect(new Set(told).size).toBe(told.length - told.filter((version) => version === null).length + 1);
});

test('what changed before it began is told at once, a neighbour and a stopped watch say nothing', async () => {
  mkdirSync(join(dir, 'work', '.tscodex'), { recursive: true });
  writeFileSync(board, 'one');
  start('older');
  const version = await upToDate();
  writeFileSync(join(dir, 'work', '.tscodex', 'other.html'), 'x');
  writeFileSync(board, 'second');
  await upToDate();
  stop();
  writeFileSync(board, 'unseen');
  expect(told).toHaveLength(2);
  expect(told[0]).toBe(version);
});
