import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import { PAGE_BYTES } from '@tscodex/shared/limits';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ItemIndex } from './item-index.ts';
import { pageOf } from './item-pages.ts';
import { readRollout } from './rollout-reader.ts';
import { itemRecord, metaRecord } from './rollout-records.ts';

const id = '01a00000-0000-7000-8000-000000000001';
const at = '2026-01-02T03:04:05.000Z';
const meta = { id, timestamp: at, cwd: '/w', originator: 'tscodex', cli_version: '0.1.0' };

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'item-pages-'));
  path = join(dir, `rollout-2026-01-02T03-04-05-${id}.jsonl`);
});
afterEach(() => rmSync(dir, { recursive: true }));

function message(n: number, text = `text ${n}`): Item {
  return { id: `i${n}`, type: 'agentMessage', turnId: null, status: 'completed', startedAt: at, text };
}

const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => itemRecord(message(from + i)));

async function indexOf(...records: unknown[]): Promise<ItemIndex> {
  if (records.length > 0) writeFileSync(path, lines(metaRecord(meta), ...records));
  const found = await readRollout(path);
  if (!found) throw new Error('no file');
  return found.index;
}

async function all(index: ItemIndex): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of index.forwards(null)) items.push(item);
  return items;
}

const ids = (page: { items: { id: string }[] } | null) => page?.items.map((item) => item.id);

test('before, after and around an item, oldest first, with the way to go on', async () => {
  const index = await indexOf(...many(0, 5_000));
  expect(await pageOf(index, { before: 'i3' }, 2)).toMatchObject({ older: 'i1', newer: 'i2' });
  expect(ids(await pageOf(index, { before: 'i3' }, 2))).toEqual(['i1', 'i2']);
  expect(ids(await pageOf(index, { before: 'i3000' }, 500))).toEqual(
    Array.from({ length: 500 }, (_, i) => `i${2_500 + i}`),
  );
  const after = await pageOf(index, { after: 'i4995' }, 3);
  expect([ids(after), after?.older, after?.newer]).toEqual([['i4996', 'i4997', 'i4998'], 'i4996', 'i4998']);
  const last = await pageOf(index, { after: 'i4998' }, 3);
  expect([ids(last), last?.newer]).toEqual([['i4999'], null]);
  expect(await pageOf(index, { after: 'i4999' }, 3)).toEqual({ items: [], older: null, newer: null });
  const around = await pageOf(index, { around: 'i100' }, 5);
  expect([ids(around), around?.older, around?.newer]).toEqual([
    ['i98', 'i99', 'i100', 'i101', 'i102'],
    'i98',
    'i102',
  ]);
  const first = await pageOf(index, { around: 'i0' }, 4);
  expect([ids(first), first?.older, first?.newer]).toEqual([['i0', 'i1', 'i2', 'i3'], null, 'i3']);
  expect(await pageOf(index, { around: 'i5000' }, 5)).toBeNull();
});

test('a page is bounded in bytes, but an item that is larger comes alone', async () => {
  const half = message(1, 'x'.repeat(PAGE_BYTES / 2));
  const huge = message(3, 'x'.repeat(20 * 1024 * 1024));
  const index = await indexOf(
    itemRecord(message(0)),
    ...[half, message(2), huge, message(4)].map(itemRecord),
  );
  expect(ids(await pageOf(index, { before: 'i4' }, 10))).toEqual(['i3']);
  expect(ids(await pageOf(index, { before: 'i3' }, 10))).toEqual(['i0', 'i1', 'i2']);
  const around = await pageOf(index, { around: 'i3' }, 10);
  expect([ids(around), around?.older, around?.newer]).toEqual([['i2', 'i3'], 'i2', 'i3']);
});

test('what changed long after it appeared is shown as it is now, where it appeared', async () => {
  const index = await indexOf(...many(0, 500), itemRecord(message(3, 'new')), ...many(500, 900));
  const page = await pageOf(index, { before: 'i5' }, 3);
  expect(page?.items).toEqual([message(2), message(3, 'new'), message(4)]);
  expect((await all(index)).map((item) => item.id)).toEqual(Array.from({ length: 900 }, (_, i) => `i${i}`));
});

test('what is appended later is found, also behind a torn line and to a file that has none yet', async () => {
  const index = await indexOf(...many(0, 40));
  appendFileSync(path, lines(...many(40, 50), itemRecord(message(1, 'new'))));
  const torn = JSON.stringify(itemRecord(message(50)));
  appendFileSync(path, torn.slice(0, 30));
  await index.catchUp();
  expect(await all(index)).toHaveLength(50);
  appendFileSync(path, torn.slice(30));
  await index.catchUp();
  await index.catchUp();
  expect((await all(index)).map((item) => item.id)).toEqual(Array.from({ length: 51 }, (_, i) => `i${i}`));
  appendFileSync(path, `\n${lines(...many(51, 53))}`);
  await Promise.all([index.catchUp(), index.catchUp()]);
  const items = await all(index);
  expect(items).toHaveLength(53);
  expect(items[1]).toEqual(message(1, 'new'));
});

test('a file that was deleted or cut is a failure, not an empty page', async () => {
  const index = await indexOf(...many(0, 40));
  truncateSync(path, 100);
  await expect(index.catchUp()).rejects.toThrow('shorter');
  rmSync(path);
  await expect(index.catchUp()).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(pageOf(index, { before: 'i9' }, 5)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('every recording of Codex reads by pages as it does at once', async () => {
  const fixtures = join(import.meta.dirname, 'fixtures');
  const names = readdirSync(fixtures).filter((name) => name.endsWith('.jsonl'));
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    copyFileSync(join(fixtures, name), path);
    const found = await readRollout(path);
    if (!found) throw new Error(name);
    expect(await all(found.index), name).toEqual(found.items);
    const last = found.items.at(-1);
    if (!last) continue;
    const page = await pageOf(found.index, { before: last.id }, 1000);
    expect(page?.items, name).toEqual(found.items.slice(0, -1));
  }
});

test('calls whose outputs come a long time later have them', async () => {
  const record = (payload: object) => ({ timestamp: at, type: 'response_item', payload });
  const call = record({ type: 'function_call', name: 'x', call_id: 'c', arguments: '{}' });
  const output = record({ type: 'function_call_output', call_id: 'c', output: 'done' });
  const index = await indexOf(call, ...many(0, 300), output, ...many(300, 400));
  const page = await pageOf(index, { before: 'i1' }, 5);
  expect(page?.items).toMatchObject([
    { type: 'toolCall', status: 'completed', output: 'done' },
    { id: 'i0' },
  ]);
});
