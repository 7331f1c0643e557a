import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_LIMIT } from '@tscodex/shared/limits';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GIF, png } from '../../base/pictures.test-support.ts';
import { openTestBox, type TestBox } from '../test-session.ts';
import { sweepAttachments } from './attachment-sweep.ts';
import { Attachments } from './attachments.ts';

let box: TestBox;
let images: Attachments;
beforeEach(async () => {
  box = await openTestBox();
  images = new Attachments(box.db, box.stateDir, 'w');
});
afterEach(() => box.remove());

async function* inPieces(bytes: Buffer, size = 1000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const files = (workspace = 'w') => {
  try {
    return readdirSync(join(box.stateDir, 'attachments', workspace));
  } catch {
    return [];
  }
};
const DAY = 24 * 60 * 60 * 1000;

test('an image that arrives is a file for its owner alone, found by its id in its workspace', async () => {
  const kept = await images.receive(inPieces(png(30, 20), 10), 'C:\\shots\\a b.png');
  expect(kept).toEqual({
    ...{ id: expect.any(String), name: 'a b.png', mediaType: 'image/png', width: 30, height: 20 },
    bytes: png(30, 20).length,
  });
  expect(images.find(kept.id)).toEqual(kept);
  expect(readFileSync(images.path(kept.id))).toEqual(png(30, 20));
  expect(await images.read(kept)).toEqual(png(30, 20));
  expect(statSync(images.path(kept.id)).mode & 0o777).toBe(0o600);
  expect(statSync(join(box.stateDir, 'attachments', 'w')).mode & 0o777).toBe(0o700);
  expect(new Attachments(box.db, box.stateDir, 'other').find(kept.id)).toBeNull();
  expect(images.find('../../state.db')).toBeNull();
});

test('what is refused leaves nothing behind', async () => {
  const refused = (bytes: AsyncIterable<Uint8Array>) =>
    images.receive(bytes, 'x.png').catch((error: { code: string; kind: string }) => [error.kind, error.code]);
  expect(await refused(inPieces(Buffer.from('<svg/>')))).toEqual(['mediaType', 'image.type']);
  expect(await refused(inPieces(png(9, 9).subarray(0, 40)))).toEqual(['invalid', 'image.broken']);
  expect(await refused(inPieces(png(100_000, 100_000)))).toEqual(['tooLarge', 'image.pixels']);
  expect(await refused(inPieces(Buffer.alloc(0)))).toEqual(['mediaType', 'image.type']);
  expect(files()).toEqual([]);
});

test('an image of 200 MB is refused at the limit: the rest is not even read', async () => {
  let read = 0;
  async function* huge() {
    for (const block = Buffer.alloc(1024 * 1024); read < 200 * block.length; read += block.length)
      yield block;
  }
  await expect(images.receive(huge(), 'huge.png')).rejects.toMatchObject({
    ...{ kind: 'tooLarge', code: 'image.tooLarge' },
    message: 'huge.png is larger than 8 MiB, the limit for an image. Make it smaller first.',
  });
  expect(read).toBe(IMAGE_LIMIT);
  expect(files()).toEqual([]);
});

test('one that breaks off is no fault of the disk, and is gone', async () => {
  async function* cut() {
    yield png(30, 20).subarray(0, 20);
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  }
  await expect(images.receive(cut(), 'a.png')).rejects.toMatchObject({ kind: 'invalid', code: 'image.cut' });
  expect(files()).toEqual([]);
});

test('what the database refuses to keep leaves no file', async () => {
  box.db.close();
  await expect(images.keep(png(3, 3), 'a.png')).rejects.toMatchObject({ kind: 'unavailable' });
  expect(files()).toEqual([]);
  box = await openTestBox();
});

test('names are shown as text on one line, and say what the image is', async () => {
  const nameOf = async (name: string) => (await images.keep(GIF, name)).name;
  expect(await nameOf('')).toBe('image.gif');
  expect(await nameOf('../..')).toBe('image.gif');
  expect(await nameOf('../../etc/passwd')).toBe('passwd');
  expect(await nameOf('new\nline\u202egnp.exe')).toBe('new line gnp.exe');
  expect(await nameOf('要求 (1).gif')).toBe('要求 (1).gif');
  expect(await nameOf('\ud800.gif')).toBe('\ufffd.gif');
  const long = await nameOf(`${'é'.repeat(300)}-the-end.gif`);
  expect(Array.from(long)).toHaveLength(100);
  expect(long).toMatch(/é…é+-the-end\.gif$/);
});

test('after a week what nobody sent goes, and what a crash left; what is used stays', async () => {
  const sent = await images.receive(inPieces(GIF), 'sent.gif');
  const unsent = await images.receive(inPieces(GIF), 'unsent.gif');
  const seen = await images.keep(GIF, 'seen.gif');
  await box.db.write('UPDATE attachments SET used = 1 WHERE id = ?', sent.id);
  const dir = join(box.stateDir, 'attachments', 'w');
  mkdirSync(join(box.stateDir, 'attachments', 'gone'));
  for (const path of [join(dir, 'torn.part'), join(dir, '..', 'gone', 'torn')]) {
    writeFileSync(path, 'x');
    utimesSync(path, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
  }
  writeFileSync(join(dir, 'arriving.part'), 'x');
  await sweepAttachments(box.db, box.stateDir, Date.now() + 6 * DAY - 1000);
  expect(images.find(unsent.id)).not.toBeNull();
  await sweepAttachments(box.db, box.stateDir, Date.now());
  expect(files('gone')).toEqual([]);
  await sweepAttachments(box.db, box.stateDir, Date.now() + 8 * DAY);
  expect(images.find(unsent.id)).toBeNull();
  expect(files().sort()).toEqual([sent.id, seen.id].sort());
});

test('nobody fills the disk with images that are never sent', async () => {
  await box.db.write((run) => {
    for (let n = 0; n < 200; n++)
      run(
        `INSERT INTO attachments (id, workspace_id, name, media_type, bytes, width, height, created_at)
         VALUES (?, 'w', 'a.png', 'image/png', 1, 1, 1, ?)`,
        ...[`image-${n}`, new Date().toISOString()],
      );
  });
  await expect(images.receive(inPieces(GIF), 'a.gif')).rejects.toMatchObject({ code: 'image.tooMany' });
  await box.db.write("UPDATE attachments SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = 'image-7'");
  await images.receive(inPieces(GIF), 'a.gif');
});

test('what an agent looks at twice is kept once, under the name it has now', async () => {
  const first = await images.keep(GIF, 'a.gif');
  expect(await images.keep(GIF, 'b.gif')).toEqual({ ...first, name: 'b.gif' });
  expect(files()).toEqual([first.id]);
  expect((await new Attachments(box.db, box.stateDir, 'other').keep(GIF, 'a.gif')).id).not.toBe(first.id);
  rmSync(images.path(first.id));
  expect((await images.keep(GIF, 'a.gif')).id).not.toBe(first.id);
});

test('the images of a workspace take only so much room, those its agents looked at too', async () => {
  const kept = await images.keep(GIF, 'a.gif');
  await box.db.write('UPDATE attachments SET bytes = ?', 2 * 1024 * 1024 * 1024);
  const full = { kind: 'tooLarge', code: 'image.space', message: expect.stringContaining('2 GiB') };
  await expect(images.receive(inPieces(GIF), 'b.gif')).rejects.toMatchObject(full);
  await expect(images.keep(png(3, 3), 'c.png')).rejects.toMatchObject(full);
  expect((await images.keep(GIF, 'a.gif')).id).toBe(kept.id);
  await new Attachments(box.db, box.stateDir, 'other').receive(inPieces(GIF), 'b.gif');
});
