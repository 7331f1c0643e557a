import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { userMessageWith } from '../base/image-parts.ts';
import { textOf, userText } from '../base/response-items.ts';
import { pageOf } from './item-pages.ts';
import { RolloutWriter } from './rollout.ts';
import { type Rollout, readRollout } from './rollout-reader.ts';
import {
  itemRecord,
  metaRecord,
  responseRecord,
  turnStartedRecord,
  userMessageRecord,
} from './rollout-records.ts';

const id = '01a00000-0000-7000-8000-000000000001';
const at = '2026-01-02T03:04:05.000Z';
const meta = { id, timestamp: at, cwd: '/w', originator: 'tscodex', cli_version: '0.1.0' };

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rollout-reader-'));
  path = join(dir, `rollout-2026-01-02T03-04-05-${id}.jsonl`);
});
afterEach(() => rmSync(dir, { recursive: true }));

function given(...records: unknown[]): void {
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

async function read(file = path): Promise<Rollout> {
  const rollout = await readRollout(file);
  if (!rollout) throw new Error(`${file} is not there`);
  return rollout;
}

/** Reads a recording of Codex, under a name with a thread id. */
function readFixture(name: string): Promise<Rollout> {
  copyFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`), path);
  return read();
}

function message(n: number, text = `text ${n}`): Item {
  return { id: `item-${n}`, type: 'agentMessage', turnId: null, status: 'completed', startedAt: at, text };
}

function messages(from: number, to: number): Item[] {
  return Array.from({ length: to - from }, (_, i) => message(from + i));
}

/** Who said what, as people see it. */
function spoken(items: Item[]): string[] {
  return items.map((item) =>
    item.type === 'userMessage' || item.type === 'agentMessage' ? `${item.type}: ${item.text}` : item.type,
  );
}

function codexMessage(role: 'user' | 'assistant', text: string): string {
  const type = role === 'user' ? 'input_text' : 'output_text';
  const payload = { type: 'message', role, content: [{ type, text }] };
  return JSON.stringify({ timestamp: at, type: 'response_item', payload });
}

test('O-E1: damaged lines are named, the rest is read, and what is appended starts a line of its own', async () => {
  const torn = '{"timestamp":"2026-01-02T03:04:07.000Z","type":"response_item","payload":{"type":"mess';
  const damaged = [
    JSON.stringify(metaRecord(meta)),
    codexMessage('user', 'first'),
    torn,
    '\0'.repeat(300),
    codexMessage('assistant', 'one'),
    '',
    '{"timestamp":"2026-01-02T03:04:09.000Z","type":"some_future_type","payload":{"x":1}}',
    codexMessage('user', 'last'),
    '{"timestamp":"2026-01-02T03:04:11.000Z","type":"response_item","payl',
  ].join('\n');
  writeFileSync(path, damaged);

  const found = await read();
  expect(spoken(found.items)).toEqual(['userMessage: first', 'agentMessage: one', 'userMessage: last']);
  expect(found.history.map((item) => item.type === 'message' && textOf(item))).toEqual([
    'first',
    'one',
    'last',
  ]);
  expect(found.damaged).toEqual([3, 4, 9]);
  expect(readFileSync(path, 'utf8')).toBe(damaged);

  const writer = RolloutWriter.open({ codexHome: dir, path, meta });
  await writer.recordItems([userText('again')]);
  await writer.close();
  const after = readFileSync(path, 'utf8');
  expect(after.startsWith(`${damaged}\n`)).toBe(true);
  expect((await read()).history).toHaveLength(4);
});

test('a file without a readable first line still has its id, by its name', async () => {
  writeFileSync(path, `{"type":"session_me\n${codexMessage('user', 'hello')}\n`);
  const found = await read();
  expect(found.meta).toEqual({ id, cwd: null, createdAt: null, forkedFrom: null });
  expect(spoken(found.items)).toEqual(['userMessage: hello']);
});

test('no file is an empty session, what is no file is a failure with its path', async () => {
  expect(await readRollout(path)).toBeNull();
  await expect(readRollout(dir)).rejects.toMatchObject({
    code: 'rollout.unreadable',
    message: expect.stringContaining(dir),
  });
});

test('the newest 200 items are kept, the older ones come by pages', async () => {
  given(metaRecord(meta), ...messages(0, 450).map(itemRecord));
  const found = await read();
  expect(found.items).toEqual(messages(250, 450));
  expect(found.older).toBe('item-250');
  const before = (id: string) => pageOf(found.index, { before: id }, 200);
  const middle = { items: messages(50, 250), older: 'item-50', newer: 'item-249' };
  expect(await before('item-250')).toEqual(middle);
  expect(await before('item-50')).toEqual({ items: messages(0, 50), older: null, newer: 'item-49' });
  expect(await before('item-0')).toEqual({ items: [], older: null, newer: null });
  expect(await before('item-451')).toBeNull();
});

test('a later record replaces an item where it stands, on its page too, and brings none back', async () => {
  given(
    metaRecord(meta),
    ...messages(0, 250).map(itemRecord),
    itemRecord(message(3, 'new')),
    itemRecord(message(240, 'new')),
  );
  const found = await read();
  expect(found.items).toHaveLength(200);
  expect(found.items[190]).toEqual(message(240, 'new'));
  const page = await pageOf(found.index, { before: 'item-5' }, 3);
  expect(page?.items).toEqual([message(2), message(3, 'new'), message(4)]);
});

test('an input whose item a crash tore off still counts and is shown, with its images', async () => {
  const image = { id: 'image-1', name: 'a.png', mediaType: 'image/png', bytes: 3 };
  const said = userMessageWith('hello', [{ ...image, bytes: Buffer.from('abc') }]);
  const shown = { inputId: 'input-1', attachments: [image] };
  given(metaRecord(meta), turnStartedRecord('turn-1'), responseRecord(said, shown));
  appendFileSync(path, JSON.stringify(userMessageRecord('hello')).slice(0, 40));
  const found = await read();
  expect(found.inputIds).toEqual(new Set(['input-1']));
  expect(found.items).toMatchObject([{ type: 'userMessage', text: 'hello', turnId: 'turn-1', ...shown }]);
  expect(found.damaged).toEqual([4]);
  expect(found.openTurn?.id).toBe('turn-1');
});

test('items of an item type that is not known yet are kept whole', async () => {
  const later = { ...message(1), type: 'hologram', depth: 3 };
  given(metaRecord(meta), { timestamp: at, type: 'tscodex_item', payload: later });
  expect((await read()).items).toEqual([later]);
});

test("Codex: what it says in the user's name is history but no message; commands show their end", async () => {
  const found = await readFixture('exec-command-failed');
  expect(found.history.map((item) => (item.type === 'message' ? item.role : item.type))).toEqual([
    'developer',
    'user',
    'user',
    'function_call',
    'function_call_output',
    'assistant',
  ]);
  expect(found.items).toMatchObject([
    { type: 'userMessage', text: 'SCN:failcmd run a failing command' },
    {
      id: expect.stringMatching(/-call_/),
      type: 'commandExecution',
      command: 'echo oops >&2; exit 3',
      cwd: '/home/dev/project',
      output: 'oops\n',
      exitCode: 3,
      status: 'failed',
    },
    {
      id: expect.stringMatching(/-msg_/),
      type: 'agentMessage',
      text: 'The command failed with exit code 3.',
      phase: 'final',
    },
  ]);
  expect(found.openTurn).toBeNull();
});

test('Codex: its legacy form has each message once, in turns', async () => {
  const found = await readFixture('app-legacy-history-mode');
  expect(spoken(found.items)).toEqual([
    'userMessage: SCN:preamble list',
    'agentMessage: I will list the files first.',
    'commandExecution',
    'agentMessage: The command printed one and two.',
    'userMessage: SCN:reasoning two',
    'reasoning',
    'agentMessage: Hello after thinking.',
  ]);
  expect(new Set(found.items.map((item) => item.turnId)).size).toBe(2);
});

test('Codex: an interrupted command is shown as such', async () => {
  const found = await readFixture('app-turn-interrupt-command');
  expect(found.items.at(-1)).toMatchObject({ type: 'commandExecution', status: 'interrupted' });
  expect(found.openTurn).toBeNull();
});

test("compaction: the replacement and what follows, or the user's words and the summary", async () => {
  const texts = async (name: string) =>
    (await readFixture(name)).history.map((item) => item.type === 'message' && textOf(item));
  expect(await texts('compacted-replacement')).toEqual(['replaced history', 'old question', 'old answer']);
  expect(await texts('compacted-message')).toEqual([
    'very old question',
    'summary of the past',
    'old question',
    'old answer',
  ]);
});

test('a response item that lacks what its kind needs is damage; a kind of another program is passed over', async () => {
  const item = (payload: object) => ({ timestamp: at, type: 'response_item', payload });
  given(
    metaRecord(meta),
    item({ type: 'function_call', name: 'x' }),
    item({ type: 'some_future_item', x: 1 }),
  );
  expect(await read()).toMatchObject({ history: [], items: [], damaged: [2] });
});

test('what is no item in the list of a compaction is passed over', async () => {
  const list = [null, 'x', 7, [], userText('kept')];
  given(metaRecord(meta), {
    timestamp: at,
    type: 'compacted',
    payload: { message: 'm', replacement_history: list },
  });
  expect((await read()).history).toEqual([userText('kept')]);
});
