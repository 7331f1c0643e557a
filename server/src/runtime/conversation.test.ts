import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRollout } from '../session/rollout-reader.ts';
import { itemRecord, metaRecord } from '../session/rollout-records.ts';
import { Conversation } from './conversation.ts';

const at = '2026-01-02T03:04:05.000Z';
const id = '01a00000-0000-7000-8000-000000000001';
const meta = { id, timestamp: at, cwd: '/w', originator: 'tscodex', cli_version: '0.1.0' };
const done = { turnId: null, status: 'completed', startedAt: at } as const;
const waits = () => new AbortController().signal;

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'conversation-'));
  path = join(dir, `rollout-2026-01-02T03-04-05-${id}.jsonl`);
});
afterEach(() => rmSync(dir, { recursive: true }));

function message(id: string, text = id, more: Partial<Item> = {}): Item {
  return { ...done, id, type: 'agentMessage', text, ...more } as Item;
}

/** `shown`: what is in memory. */
async function conversation(onDisk: Item[], shown: Item[]): Promise<Conversation> {
  writeFileSync(
    path,
    [metaRecord(meta), ...onDisk.map(itemRecord)].map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  const file = await readRollout(path);
  if (!file) throw new Error('no file');
  return new Conversation(file.index, { path, flush: async () => undefined }, () => shown);
}

test('a page shows what is in memory as it is there, and what a restart has cut as interrupted', async () => {
  const running = (id: string) => message(id, id, { status: 'inProgress' });
  const here = message('c', 'now', { status: 'inProgress' });
  const it = await conversation([message('a'), running('b'), message('c', 'before'), message('d')], [here]);
  const { items } = await it.page({ before: 'd' }, 10);
  expect(items).toMatchObject([{ id: 'a' }, { id: 'b', status: 'interrupted' }, { text: 'now' }]);
});

test('an item in memory alone has its place among those on disk', async () => {
  const onDisk = ['a', 'b', 'c'].map((id) => message(id));
  const it = await conversation(onDisk, [message('b'), message('x'), message('c'), message('y')]);
  const ids = async (asked: Parameters<Conversation['page']>[0]) =>
    (await it.page(asked, 10)).items.map((item) => item.id);
  expect(await ids({ before: 'x' })).toEqual(['a', 'b']);
  expect(await ids({ after: 'x' })).toEqual(['c']);
  expect(await ids({ around: 'y' })).toEqual(['a', 'b', 'c']);
  expect(await ids({ before: 'y' })).toEqual(['a', 'b', 'c']);
  await expect(it.page({ around: 'z' }, 10)).rejects.toMatchObject({ code: 'item.unknown' });
});

test('words are found in all that people see, in any case, on disk and in memory', async () => {
  const command = { ...done, type: 'commandExecution', cwd: '/w', outputBytes: 0, truncated: false } as const;
  const diff = '@@ -1 +1 @@\n-old\n+the needle';
  const it = await conversation(
    [
      message('a', 'a **nee**dle in bold'),
      message('b', 'nothing'),
      { ...command, id: 'c', command: 'find needle', output: '', sandbox: 'none' },
      { ...command, id: 'd', command: 'x', output: 'A NEEDLE', sandbox: 'none' },
      { ...done, id: 'e', type: 'fileChange', changes: [{ path: 'x', kind: 'update', diff }] },
      { ...done, id: 'f', type: 'notice', level: 'info', code: 'x', text: 'Needles.' },
      message('g', 'as it was'),
    ],
    [message('g', 'now a needle'), message('h', '会话里有针 needle')],
  );
  expect(await it.find('NEEDLE', waits())).toEqual({ itemIds: [...'acdefgh'], cut: false });
  expect(await it.find('里有针', waits())).toEqual({ itemIds: ['h'], cut: false });
  expect(await it.find('as it was', waits())).toEqual({ itemIds: [], cut: false });
});

test('of very many places the newest are told; who has gone is looked for no more', async () => {
  const it = await conversation(
    Array.from({ length: 1_100 }, (_, i) => message(`i${i}`, 'needle')),
    [],
  );
  const { itemIds, cut } = await it.find('needle', waits());
  expect([itemIds.length, itemIds[0], itemIds.at(-1), cut]).toEqual([1000, 'i100', 'i1099', true]);
  expect((await it.find('needle', AbortSignal.abort())).itemIds).toEqual([]);
});

test('a file that was deleted is said to be, with its path', async () => {
  const it = await conversation([message('a'), message('b')], []);
  rmSync(path);
  const refused = { code: 'rollout.unreadable', message: expect.stringContaining(path) };
  await expect(it.page({ before: 'b' }, 10)).rejects.toMatchObject(refused);
  await expect(it.find('a', waits())).rejects.toMatchObject(refused);
});
