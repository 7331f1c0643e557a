/** Files that Codex 0.171.0 wrote, or resumed: the same conversation is read here. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Item, UserMessage } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ResponseItem, textOf, userText } from '../base/response-items.ts';
import { pageOf } from './item-pages.ts';
import { RolloutWriter } from './rollout.ts';
import { readRollout } from './rollout-reader.ts';

const PARENT = '01a22a63-7e16-7890-a085-d933fafe9f77';
const FORK = '01a22a63-a306-7bf2-b53c-f7e3c485f338';
const REVERTED = '01a22a6a-4828-7361-89a5-c402574de5ab';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foreign-files-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Puts a recording where Codex keeps it. */
function keep(fixture: string, folder: string, thread: string): string {
  const path = join(home, folder, `rollout-2026-11-30T03-00-00-${thread}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'fixtures', `${fixture}.jsonl`), path);
  return path;
}

async function read(path: string) {
  const rollout = await readRollout(path);
  if (!rollout) throw new Error(`${path} is not there`);
  return rollout;
}

const said = (items: readonly Item[]) =>
  items.map((item) => ('text' in item && item.text ? item.text : item.type));

/** As the recordings tell what reached the model. */
function seen(item: ResponseItem): string {
  if (item.type === 'message') return `${item.role}:${textOf(item)}`;
  if ('name' in item) return `${item.type}:${item.name}`;
  return `${item.type}:${'call_id' in item ? item.call_id : ''}`;
}

const resumed: Record<string, { file: string; seen: string[] }> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'resumed-by-codex.json'), 'utf8'),
);

test.each(Object.entries(resumed))('%s: the model sees what Codex showed it', async (name, given) => {
  const path = join(home, `rollout-2026-11-29T10-00-00-${PARENT}.jsonl`);
  writeFileSync(path, given.file);
  const { history } = await read(path);
  const last = history.at(-1);
  // a turn may go on with the calls at the end; who loads a session without one answers them
  const open = name === 'dangling-call' ? given.seen.slice(0, -1) : given.seen;
  expect(history.map(seen)).toEqual(open);
  expect(name === 'dangling-call').toBe(last?.type === 'function_call');
});

test('a fork goes on where it left its parent, wherever that lies', async () => {
  const path = keep('app-thread-fork', 'sessions/2026/11/30', FORK);
  keep('app-thread-create-two-turns', 'archived_sessions', PARENT);
  const found = await read(path);
  expect(found).toMatchObject({ meta: { id: FORK }, missing: null, damaged: [], openTurn: null });
  expect(said(found.items)).toEqual([
    'SCN:preamble list the files',
    'I will list the files first.',
    'commandExecution',
    'The command printed one and two.',
    'SCN:reasoning say hello',
    'reasoning',
    'Hello after thinking.',
    'SCN:phase and again',
    'Hello with a phase.',
    ...said(found.items.slice(9)),
  ]);
  const ids = found.items.map((item) => item.id);
  expect(new Set(ids).size).toBe(ids.length);
  const page = await pageOf(found.index, { before: ids[8] as string }, 3);
  expect(page?.items.map((item) => item.id)).toEqual(ids.slice(5, 8));
});

test('a fork of what is not there is read alone, and says so', async () => {
  const found = await read(keep('app-thread-fork', 'sessions/2026/11/30', FORK));
  expect(found.missing).toBe(PARENT);
  expect(found.items.length).toBeGreaterThan(0);
});

test('a revert leaves two files for one thread: the newer builds on the older up to where it was reverted', async () => {
  const old = keep('app-thread-shell-inject-revert', 'sessions/2026/11/30', REVERTED);
  const path = keep('app-thread-reverted-new-file', 'sessions/2026/11/30', `${REVERTED}_${FORK}`);
  const [before, after] = [await read(old), await read(path)];
  expect(said(before.items)).toHaveLength(5);
  expect(said(after.items)).toEqual(said(before.items).slice(0, 3));
  expect(after).toMatchObject({ meta: { id: REVERTED }, missing: null });
});

test('files that build on each other in a circle end', async () => {
  const meta = (id: string, base: string) => ({
    timestamp: '2026-11-30T03:00:00.000Z',
    ordinal: 2,
    type: 'session_meta',
    payload: { id, history_mode: 'paginated', history_base: { thread_id: base, end_ordinal_exclusive: 2 } },
  });
  const paths = [FORK, PARENT].map((id) => join(home, `rollout-2026-11-30T03-00-00-${id}.jsonl`));
  writeFileSync(paths[0] as string, JSON.stringify(meta(FORK, PARENT)));
  writeFileSync(paths[1] as string, JSON.stringify(meta(PARENT, FORK)));
  for (const path of paths)
    expect(await read(path)).toMatchObject({ items: [], missing: expect.stringMatching(/^01a22a63/) });
});

test('an indented file reads as if each record were a line', async () => {
  const path = keep('app-thread-create-two-turns', 'sessions', PARENT);
  const plain = await read(path);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const indented = lines.map((line) => JSON.stringify(JSON.parse(line), null, 2)).join('\n');
  writeFileSync(path, indented);
  expect({ ...(await read(path)), index: plain.index }).toEqual(plain);
  // one of them torn: the others stay
  writeFileSync(path, indented.replace(/\n {2}"ordinal": 8,[\s\S]*?\n\}\n/, '\n'));
  const torn = await read(path);
  expect(torn.damaged).toHaveLength(1);
  expect(torn.items).toEqual(plain.items.slice(1));
  expect(basename(path)).toContain(PARENT);
});

test('what is added to a paginated file has numbers, and what was said as items', async () => {
  const path = keep('app-thread-create-two-turns', 'sessions/2026/11/30', PARENT);
  const before = readFileSync(path, 'utf8');
  const found = await read(path);
  const meta = { id: PARENT, timestamp: '', cwd: '/w', originator: 'tscodex', cli_version: '0.0.0' };
  const writer = RolloutWriter.open({ codexHome: home, path, meta });
  writer.goOnIn(found);
  const item: UserMessage = {
    ...{ id: 'i', turnId: 't', status: 'completed', startedAt: '', type: 'userMessage', text: 'and now?' },
    ...{ attachments: [], author: null, mode: 'steer', inputId: 'i' },
  };
  await writer.recordInputs([{ item, message: userText('and now?') }], 't');
  const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nothing.' }] };
  await writer.recordItems([answer as ResponseItem]);
  await writer.turnEnded('t', { status: 'completed', lastMessage: 'Nothing.' });
  await writer.close();
  const after = readFileSync(path, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  const records = after
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map(({ ordinal }) => ordinal)).toEqual(records.map((_, n) => n));
  const added = records.slice(found.nextOrdinal ?? 0);
  expect(added.map(({ type, payload }) => payload.item?.type ?? payload.type ?? type)).toEqual([
    ...['task_started', 'message', 'UserMessage', 'userMessage'],
    ...['message', 'AgentMessage', 'task_complete'],
  ]);
  expect(added[2].payload).toMatchObject({ thread_id: PARENT, turn_id: 't' });
  // ours are shown once
  expect(said((await read(path)).items).slice(found.items.length)).toEqual(['and now?']);
});
