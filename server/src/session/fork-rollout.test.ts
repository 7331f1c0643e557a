import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Compaction, Item, UserMessage } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { developerText, type MessageItem, textOf } from '../base/response-items.ts';
import { personText } from '../base/said-by-people.ts';
import { forkRollout } from './fork-rollout.ts';
import { RolloutWriter, rolloutPath } from './rollout.ts';
import { type Rollout, readRollout } from './rollout-reader.ts';
import { UsageTally } from './usage-tally.ts';

const SOURCE = '01a22000-0000-7000-8000-000000000001';
const COPY = '01a22000-0000-7000-8000-000000000002';
const at = '2026-01-02T03:04:05.000Z';
const metaOf = (id: string) => ({
  id,
  timestamp: at,
  cwd: '/w',
  originator: 'tscodex',
  cli_version: '0.1.0',
});
const meta = { ...metaOf(COPY), forked_from_id: SOURCE };

let home: string;
let from: string;
let to: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fork-'));
  from = rolloutPath(home, SOURCE);
  to = rolloutPath(home, COPY);
});
afterEach(() => rmSync(home, { recursive: true }));

async function read(path: string): Promise<Rollout> {
  const rollout = await readRollout(path);
  if (!rollout) throw new Error(`${path} is not there`);
  return rollout;
}

const fork = (before?: string) => forkRollout({ from, to, before, meta });

/** A conversation of ours, written as it goes on. */
class Conversation {
  #count = 0;
  readonly tally = new UsageTally();
  readonly writer = RolloutWriter.open({ codexHome: home, path: from, meta: metaOf(SOURCE) });

  said(text: string, turnId: string, mode: UserMessage['mode'] = 'steer') {
    const n = ++this.#count;
    const item: UserMessage = {
      ...{
        id: `item-${n}`,
        type: 'userMessage',
        turnId,
        status: 'completed',
        startedAt: at,
        completedAt: at,
      },
      ...{ text, attachments: [], author: 'Ada', mode, inputId: `input-${n}` },
    };
    return { item, message: personText(text) };
  }

  async begin(turnId: string, ...texts: string[]): Promise<void> {
    await this.writer.recordInputs(
      texts.map((text) => this.said(text, turnId)),
      turnId,
    );
  }

  async answer(text: string, tokens?: number): Promise<void> {
    const message: MessageItem = {
      ...{ type: 'message', role: 'assistant' },
      content: [{ type: 'output_text', text }],
    };
    await this.writer.recordItems([message]);
    if (tokens === undefined) return;
    this.tally.add({ ...NONE, inputTokens: tokens - 10, outputTokens: 10, totalTokens: tokens }, 'm');
    await this.writer.recordUsage(this.tally, { model: 'm', contextWindow: 1000 });
  }

  async turn(turnId: string, text: string, answer: string, tokens?: number): Promise<void> {
    await this.begin(turnId, text);
    await this.answer(answer, tokens);
    await this.writer.turnEnded(turnId, { status: 'completed', lastMessage: answer });
  }
}
const NONE = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, totalTokens: 0 };

const words = (rollout: Rollout) =>
  rollout.history.flatMap((item) => (item.type === 'message' ? [textOf(item)] : []));
const shown = (items: readonly Item[]) =>
  items.flatMap((item) => (item.type === 'userMessage' ? [item.text] : []));

test('a fork has the whole conversation, its items with their ids, and says where it is from', async () => {
  const conversation = new Conversation();
  await conversation.turn('t1', 'first', 'one', 100);
  await conversation.turn('t2', 'second', 'two', 300);
  await conversation.writer.close();
  expect(await fork()).toEqual({ hasMessages: true, longOutputs: new Set() });
  const [source, copy] = [await read(from), await read(to)];
  expect(copy).toEqual({
    ...source,
    meta: { id: COPY, cwd: '/w', createdAt: at, forkedFrom: SOURCE },
    ...{ usage: expect.anything(), index: expect.anything() },
  });
  // what the conversation takes is known, what it has used is the other's
  expect(copy.usage.context?.totalTokens).toBe(300);
  expect(copy.usage.total.size).toBe(0);
  expect(readdirSync(dirname(to)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  const [first] = readFileSync(to, 'utf8').split('\n');
  expect(JSON.parse(first ?? '')).toEqual({
    timestamp: expect.any(String),
    type: 'session_meta',
    payload: meta,
  });
});

test('a turn that runs, and what was typed beside the turns, is not part of it', async () => {
  const conversation = new Conversation();
  await conversation.turn('t1', 'first', 'one');
  await conversation.writer.recordItem(conversation.said('/fork', '', 'command').item);
  await conversation.begin('t2', 'still asked');
  await conversation.answer('half');
  await fork();
  await conversation.writer.close();
  const copy = await read(to);
  expect(words(copy)).toEqual(['first', 'one']);
  expect(shown(copy.items)).toEqual(['first']);
  expect(copy.openTurn).toBe(null);
});

test('before the message that a turn began with the turn is gone, before a steer it is ended', async () => {
  const conversation = new Conversation();
  await conversation.turn('t1', 'first', 'one', 100);
  await conversation.begin('t2', 'second', 'and this');
  await conversation.answer('on it', 200);
  const note = developerText('written before');
  await conversation.writer.recordInputs([{ ...conversation.said('a steer', 't2'), note }]);
  await conversation.answer('done', 400);
  await conversation.writer.turnEnded('t2', { status: 'completed' });
  await conversation.writer.close();

  const forked = async (before: string) => {
    rmSync(to, { force: true });
    const { hasMessages } = await fork(before);
    const { history: _, ...copy } = await read(to);
    return { hasMessages, said: words(await read(to)), openTurn: copy.openTurn, usage: copy.usage.context };
  };
  expect(await forked('item-1')).toEqual({ hasMessages: false, said: [], openTurn: null, usage: null });
  expect(await forked('item-2')).toMatchObject({ said: ['first', 'one'], usage: { totalTokens: 100 } });
  expect(await forked('item-3')).toMatchObject({ said: ['first', 'one', 'second'], openTurn: null });
  expect(await forked('item-4')).toMatchObject({
    ...{ hasMessages: true, openTurn: null, usage: { totalTokens: 200 } },
    said: ['first', 'one', 'second', 'and this', 'on it'],
  });
  expect(readFileSync(to, 'utf8')).toContain('"turn_aborted"');
});

test('before a compaction the whole history is back, behind it the summary stays', async () => {
  const conversation = new Conversation();
  await conversation.turn('t1', 'first', 'one', 100);
  await conversation.turn('t2', 'second', 'two', 300);
  const item: Compaction = {
    ...{ id: 'c', type: 'compaction', turnId: 't3', status: 'completed', startedAt: at, completedAt: at },
    ...{ reason: 'manual', itemsBefore: 4, itemsAfter: 1, summary: 'short' },
  };
  const history = [personText('short')];
  await conversation.writer.recordCompaction({ message: 'short', history, item });
  await conversation.turn('t4', 'third', 'three', 50);
  await conversation.writer.close();
  await fork('item-2');
  expect(words(await read(to))).toEqual(['first', 'one']);
  rmSync(to);
  await fork('item-3');
  const copy = await read(to);
  expect(words(copy)).toEqual(['short']);
  expect(copy.items.map(({ id }) => id)).toContain('c');
  expect(copy.usage.context).toBe(null);
});

test('what is no message of a person, or not there, leaves no file', async () => {
  const conversation = new Conversation();
  await conversation.writer.recordItem(conversation.said('/help', '', 'command').item);
  await conversation.turn('t1', 'first', 'one');
  await conversation.writer.close();
  await expect(fork('item-1')).rejects.toMatchObject({ code: 'fork.noMessage' });
  await expect(fork('nowhere')).rejects.toMatchObject({ code: 'item.unknown' });
  expect(existsSync(to)).toBe(false);
  // an id is taken once
  writeFileSync(`${to}.partial`, 'of another one');
  await expect(fork()).rejects.toMatchObject({ code: 'file.write' });
});

test('damaged lines stay behind, and a message whose own record was torn off can be forked before', async () => {
  const conversation = new Conversation();
  await conversation.turn('t1', 'first', 'one');
  await conversation.turn('t2', 'second', 'two');
  await conversation.writer.close();
  const lines = readFileSync(from, 'utf8').split('\n');
  const own = lines.findLastIndex((line) => line.includes('"userMessage"'));
  lines[own] = lines[own]?.slice(0, 20) ?? '';
  writeFileSync(from, lines.join('\r\n'));
  const torn = (await read(from)).items.at(-1);
  expect(torn).toMatchObject({ type: 'userMessage', text: 'second' });
  await fork(torn?.id);
  expect(words(await read(to))).toEqual(['first', 'one']);
  rmSync(to);
  await fork();
  expect(await read(to)).toMatchObject({ damaged: [], history: (await read(from)).history });
});

const PARENT = '01a22a63-7e16-7890-a085-d933fafe9f77';
const FORK = '01a22a63-a306-7bf2-b53c-f7e3c485f338';
const REVERTED = '01a22a6a-4828-7361-89a5-c402574de5ab';

function keep(fixture: string, thread: string): string {
  const path = join(home, 'sessions/2026/11/30', `rollout-2026-11-30T03-00-00-${thread}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'fixtures', `${fixture}.jsonl`), path);
  return path;
}

test.each([
  ['paginated', 'app-thread-create-two-turns', PARENT, []],
  ['a fork of Codex', 'app-thread-fork', FORK, [['app-thread-create-two-turns', PARENT]]],
  [
    ...(['a revert of Codex', 'app-thread-reverted-new-file', `${REVERTED}_${FORK}`] as const),
    [['app-thread-shell-inject-revert', REVERTED]],
  ],
  ['a cut command', 'app-turn-interrupt-command', FORK, []],
  ['a failed command', 'exec-command-failed', FORK, []],
  ['legacy', 'app-legacy-history-mode', FORK, []],
] as const)(
  '%s: the copy is in our form, and the same conversation',
  async (_kind, fixture, thread, bases) => {
    for (const [base, of] of bases) keep(base, of);
    from = keep(fixture, thread);
    await fork();
    const [source, copy] = [await read(from), await read(to)];
    expect(copy.history).toEqual(source.history);
    expect(copy).toMatchObject({ nextOrdinal: null, missing: null, damaged: [], openTurn: null });
    expect(copy.items).toEqual(source.items);
    // by these Codex lists it
    const events = readFileSync(to, 'utf8').match(/"type":"user_message"/g) ?? [];
    expect(events).toHaveLength(shown(source.items).length);

    const last = source.items.findLast((item) => item.type === 'userMessage');
    rmSync(to);
    await fork(last?.id);
    const before = await read(to);
    expect(shown(before.items)).toEqual(shown(source.items).slice(0, -1));
    expect(words(before)).toEqual(words(source).slice(0, words(before).length));
    expect(words(before).join()).not.toContain((last as UserMessage).text);
    expect(before.openTurn).toBe(null);
  },
);
