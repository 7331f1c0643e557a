import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Compaction } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { developerText, type MessageItem, type ResponseItem, userText } from '../base/response-items.ts';
import { isSaidByPeople, personText } from '../base/said-by-people.ts';
import { RolloutWriter, rolloutPath } from './rollout.ts';
import { readRollout } from './rollout-reader.ts';

const id = '01a22000-0000-7000-8000-000000000001';
const at = '2026-01-02T03:04:05.000Z';
const meta = { id, timestamp: at, cwd: '/srv', originator: 'tscodex', cli_version: '0.1.0' };

let codexHome: string;
let path: string;
beforeEach(() => {
  codexHome = mkdtempSync(join(tmpdir(), 'compacted-'));
  path = rolloutPath(codexHome, id);
});
afterEach(() => rmSync(codexHome, { recursive: true }));

const open = () => RolloutWriter.open({ codexHome, path, meta });

const answer: MessageItem = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Long.' }],
};
const before: ResponseItem[] = [developerText('rules'), userText('begin'), answer];
const after: ResponseItem[] = [developerText('rules'), userText('begin'), userText('the summary')];
const item: Compaction = {
  ...{ id: 'compaction-1', type: 'compaction', turnId: 'turn-2', status: 'completed' },
  ...{
    startedAt: at,
    completedAt: at,
    reason: 'manual',
    itemsBefore: 3,
    itemsAfter: 3,
    summary: 'the summary',
  },
};
const compaction = { message: 'the summary', history: after, item };

async function written(): Promise<Buffer> {
  const writer = open();
  await writer.recordItems(before);
  await writer.recordCompaction(compaction);
  await writer.close();
  return readFileSync(path);
}

test('what the model sees from there on, and the item that shows it, are one record of Codex’s form', async () => {
  const lines = (await written()).toString().trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    timestamp: expect.any(String),
    type: 'compacted',
    payload: { message: 'the summary', replacement_history: after },
    tscodex: { compaction: item },
  });
  const read = await readRollout(path);
  expect(read?.history).toEqual(after);
  expect(read?.items.at(-1)).toEqual(item);
});

test('a crash at any byte leaves all of it or nothing', async () => {
  const { whole, from } = await lastLine();
  for (let end = from; end <= whole.length; end++) {
    writeFileSync(path, whole.subarray(0, end));
    const read = await readRollout(path);
    // the line is whole without its end
    const done = end >= whole.length - 1;
    expect(read?.history, `cut at ${end - from}`).toEqual(done ? after : before);
    expect(read?.items.some(({ type }) => type === 'compaction')).toBe(done);
  }
});

test('what is written after a crash can be read', async () => {
  const { whole, from } = await lastLine();
  for (const end of [from, from + 1, from + 100, whole.length - 2, whole.length - 1, whole.length]) {
    writeFileSync(path, whole.subarray(0, end));
    const writer = open();
    await writer.recordItems([userText('more')]);
    await writer.close();
    const done = end >= whole.length - 1;
    expect((await readRollout(path))?.history).toEqual([...(done ? after : before), userText('more')]);
  }
});

async function lastLine() {
  const whole = await written();
  return { whole, from: whole.lastIndexOf('\n', whole.length - 2) + 1 };
}

test('a disk that refuses leaves the file as it was', async () => {
  const writer = open();
  await writer.recordItems(before);
  const held = readFileSync(path);
  const file = (writer as unknown as { file: { handle: { write(): Promise<never> } } }).file;
  file.handle.write = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  await expect(writer.recordCompaction(compaction)).rejects.toMatchObject({ code: 'file.write' });
  expect(readFileSync(path).equals(held)).toBe(true);
  await writer.close();
});

test('what people said stays theirs, whatever it opens with: in the record, when it is summed up, and in older files', async () => {
  const words = personText('<board> should be red');
  const writer = open();
  await writer.recordItems([words, userText('<board path="b.html">')]);
  await writer.recordCompaction({ ...compaction, history: [words] });
  await writer.close();
  const read = async () => (await readRollout(path))?.history.map(isSaidByPeople);
  expect(await read()).toEqual([true]);
  const [first = '', second = '', third = ''] = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${[first, second, third].join('\n')}\n`);
  expect(await read()).toEqual([true, false]);
  // by the id of the input alone
  const { by_person: _, ...payload } = JSON.parse(second).payload;
  writeFileSync(
    path,
    `${[first, JSON.stringify({ ...JSON.parse(second), payload, tscodex: { inputId: 'i' } })].join('\n')}\n`,
  );
  expect(await read()).toEqual([true]);
  // as newer versions of Codex have it
  const kinds = { internal_chat_message_metadata_passthrough: { content_item_kinds: ['user.text'] } };
  writeFileSync(
    path,
    `${[first, JSON.stringify({ ...JSON.parse(second), payload: { ...payload, ...kinds } })].join('\n')}\n`,
  );
  expect(await read()).toEqual([true]);
});

test('one that is damaged where only the model sees it costs nothing of what came before', async () => {
  const output = '-'.repeat(8000);
  const call = { type: 'function_call' as const, call_id: 'c', name: 'exec', arguments: '{}' };
  const history = [...after, call, { type: 'function_call_output' as const, call_id: 'c', output }];
  const writer = open();
  await writer.recordItems(before);
  await writer.recordCompaction({ ...compaction, history });
  await writer.recordItems([userText('more')]);
  await writer.close();
  expect((await readRollout(path))?.history).toEqual([...history, userText('more')]);
  const lines = readFileSync(path, 'utf8').split('\n');
  // what a power cut leaves, and a blank line
  const torn = lines.map((line) => line.replace(output, `\0${output.slice(1)}`)).toSpliced(5, 0, '');
  writeFileSync(path, torn.join('\n'));
  const read = await readRollout(path);
  expect(read?.history).toEqual([...before, userText('more')]);
  expect(read?.damaged).toEqual([7]);
});
