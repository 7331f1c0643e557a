import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boardVersion, prepareBoardPlace, readBoard, readBoardImage } from './board.ts';

let dir: string;
let board: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'board-')));
  mkdirSync(join(dir, 'work', 'img'), { recursive: true });
  board = join(dir, 'work', 'board.html');
});
afterEach(() => rmSync(dir, { recursive: true }));

test.runIf(process.getuid?.() === 0)('what root makes in the workspace of somebody is theirs', async () => {
  const somebody = 54_321;
  chownSync(join(dir, 'work'), somebody, somebody);
  await prepareBoardPlace(join(dir, 'work/.tscodex/w.html'));
  for (const path of ['work/.tscodex', 'work/.tscodex/.gitignore'])
    expect(statSync(join(dir, path)).uid).toBe(somebody);
});

test('a link in the place of its directory is not followed', async () => {
  mkdirSync(join(dir, 'elsewhere'));
  symlinkSync(join(dir, 'elsewhere'), join(dir, 'work/.tscodex'));
  await prepareBoardPlace(join(dir, 'work/.tscodex/w.html'));
  expect(readdirSync(join(dir, 'elsewhere'))).toEqual([]);
});

test('the version changes with the file and is null without one', async () => {
  expect(await boardVersion(board)).toBeNull();
  writeFileSync(board, 'one');
  const one = await boardVersion(board);
  expect(one).toMatch(/^[\w-]{16}$/);
  expect(await boardVersion(board)).toBe(one);
  writeFileSync(board, 'longer');
  expect(await boardVersion(board)).not.toBe(one);
  expect(await boardVersion(dir)).toBeNull();
});

test('a default board gets its directory, out of the way of git, and no file; another gets nothing', async () => {
  const place = join(dir, 'work', '.tscodex');
  await prepareBoardPlace(join(place, 'a.html'));
  expect(readdirSync(place)).toEqual(['.gitignore']);
  expect(readFileSync(join(place, '.gitignore'), 'utf8')).toBe('*\n');
  writeFileSync(join(place, '.gitignore'), 'mine\n');
  await prepareBoardPlace(join(place, 'b.html'));
  expect(readFileSync(join(place, '.gitignore'), 'utf8')).toBe('mine\n');
  await prepareBoardPlace(join(dir, 'elsewhere', 'a.html'));
  expect(readdirSync(dir)).toEqual(['work']);
});

test('the board is read as it is; none, or something else in its place, is null', async () => {
  expect(await readBoard(board)).toBeNull();
  writeFileSync(board, '<h1>é</h1>');
  expect((await readBoard(board))?.toString()).toBe('<h1>é</h1>');
  rmSync(board);
  execFileSync('mkfifo', [board]);
  expect(await readBoard(board)).toBeNull();
});

test('images beside the board and below it are served with their type', async () => {
  writeFileSync(join(dir, 'work', 'a b.PNG'), 'png');
  writeFileSync(join(dir, 'work', 'img', 'x.svg'), '<svg/>');
  expect(await readBoardImage(board, 'a b.PNG')).toEqual({
    content: Buffer.from('png'),
    mediaType: 'image/png',
  });
  expect(await readBoardImage(board, 'img/x.svg')).toMatchObject({ mediaType: 'image/svg+xml' });
});

test('nothing else of the disk is reachable', async () => {
  writeFileSync(join(dir, 'out.png'), 'outside');
  writeFileSync(join(dir, 'work', 'secret.env'), 'KEY=1');
  writeFileSync(join(dir, 'work', 'inside.png'), 'inside');
  symlinkSync(join(dir, 'out.png'), join(dir, 'work', 'link.png'));
  symlinkSync(dir, join(dir, 'work', 'up'));
  symlinkSync('secret.env', join(dir, 'work', 'env.png'));
  symlinkSync('inside.png', join(dir, 'work', 'fine.png'));
  const others = [
    '../out.png',
    join(dir, 'out.png'),
    'link.png',
    'up/out.png',
    'secret.env',
    'env.png',
    'board.html',
    'img',
    '',
    '.',
    'a\0.png',
    'missing.png',
  ];
  for (const path of others) expect([path, await readBoardImage(board, path)]).toEqual([path, null]);
  expect((await readBoardImage(board, 'fine.png'))?.content.toString()).toBe('inside');
});

test('a link that takes the place of the board, or of its directory, is not followed', async () => {
  writeFileSync(join(dir, 'token'), 'secret');
  symlinkSync(join(dir, 'token'), board);
  expect([await boardVersion(board), await readBoard(board)]).toEqual([null, null]);

  const place = join(dir, 'work', '.tscodex');
  writeFileSync(join(dir, 'board.html'), 'elsewhere');
  writeFileSync(join(dir, 'out.png'), 'outside');
  symlinkSync(dir, place);
  const moved = join(place, 'board.html');
  expect([await boardVersion(moved), await readBoard(moved)]).toEqual([null, null]);
  expect(await readBoardImage(moved, 'out.png')).toBeNull();
});
