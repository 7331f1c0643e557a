import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandExecution, UserMessage } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ResponseItem, userText } from '../base/response-items.ts';
import { personText } from '../base/said-by-people.ts';
import { ItemIndex } from './item-index.ts';
import { RolloutWriter, rolloutPath } from './rollout.ts';
import { readRollout } from './rollout-reader.ts';
import { UsageTally } from './usage-tally.ts';

const id = '01a22000-0000-7000-8000-000000000001';
const meta = {
  id,
  timestamp: '2026-01-02T03:04:05.000Z',
  cwd: '/srv/project',
  originator: 'tscodex',
  cli_version: '0.1.0',
};

let codexHome: string;
let path: string;
let writer: RolloutWriter;
beforeEach(() => {
  codexHome = mkdtempSync(join(tmpdir(), 'rollout-'));
  path = rolloutPath(codexHome, id);
  writer = RolloutWriter.open({ codexHome, path, meta });
});
afterEach(async () => {
  await writer.close();
  rmSync(codexHome, { recursive: true });
});

const at = '2026-01-02T03:04:06.000Z';

function said(text: string, n: number): UserMessage {
  return {
    id: `item-${n}`,
    type: 'userMessage',
    turnId: 'turn-1',
    status: 'completed',
    startedAt: at,
    completedAt: at,
    text,
    attachments: [],
    author: 'Ada',
    mode: 'queue',
    inputId: `input-${n}`,
  };
}

const command: CommandExecution = {
  id: 'item-2',
  type: 'commandExecution',
  turnId: 'turn-1',
  status: 'completed',
  startedAt: at,
  command: 'ls',
  cwd: '/srv/project',
  output: 'a\n',
  outputBytes: 2,
  truncated: false,
  exitCode: 0,
  sandbox: 'none',
};

const work: ResponseItem[] = [
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'e' },
  { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'exec_command', arguments: '{"cmd":"ls"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'Output:\na\n' },
  { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin Patch' },
  {
    type: 'custom_tool_call_output',
    call_id: 'c2',
    output: [{ type: 'input_image', image_url: 'data:image/png;base64,AA==' }],
  },
  { type: 'web_search_call', raw: { type: 'web_search_call', id: 'ws_1', status: 'completed' } },
  { type: 'other', raw: { type: 'later_kind', x: 1 } },
  {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'done' }],
    id: 'msg_1',
    phase: 'final_answer',
  },
];

function recordsInFile(): { type: string; payload: { type?: string }; tscodex?: unknown }[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('the path is the one Codex looks in, by local time', () => {
  expect(rolloutPath('/home/ada/.codex', id, new Date(2026, 0, 2, 3, 4, 5))).toBe(
    `/home/ada/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`,
  );
});

test('nothing is on disk before the first record; then the meta Codex needs comes first', async () => {
  expect(await readRollout(path)).toBeNull();
  await writer.recordInputs([{ item: said('hello', 1), message: userText('hello') }], 'turn-1');
  expect(recordsInFile()[0]).toMatchObject({ type: 'session_meta', payload: meta });
});

test('an input is one write of what the model sees, what Codex lists and what people see', async () => {
  await writer.recordInputs([{ item: said('hello', 1), message: userText('hello') }]);
  expect(recordsInFile().slice(1)).toMatchObject([
    {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      tscodex: { inputId: 'input-1' },
    },
    {
      type: 'event_msg',
      payload: { type: 'user_message', message: 'hello', images: [], local_images: [], text_elements: [] },
    },
    { type: 'tscodex_item', payload: said('hello', 1) },
  ]);
});

test('an input that was written twice counts once', async () => {
  const input = { item: said('hello', 1), message: personText('hello') };
  await writer.recordInputs([input], 'turn-1');
  await writer.recordInputs([{ ...input, item: { ...input.item, id: 'another' } }]);
  const read = await readRollout(path);
  expect(read?.history).toEqual([personText('hello')]);
  expect(read?.items).toEqual([input.item]);
});

test('what was recorded is read back the same', async () => {
  await writer.recordInputs([{ item: said('hello', 1), message: personText('hello') }], 'turn-1');
  await writer.recordItems(work);
  await writer.recordItem({ ...command, status: 'inProgress' });
  await writer.recordItem(command);
  const open = await readRollout(path);
  expect(open?.openTurn).toMatchObject({ id: 'turn-1' });
  await writer.turnEnded('turn-1', { status: 'completed', lastMessage: 'done' });
  expect(await readRollout(path)).toEqual({
    meta: { id, cwd: '/srv/project', createdAt: meta.timestamp, forkedFrom: null },
    history: [personText('hello'), ...work],
    items: [said('hello', 1), command],
    older: null,
    index: expect.any(ItemIndex),
    inputIds: new Set(['input-1']),
    nextOrdinal: null,
    missing: null,
    openTurn: null,
    usage: expect.any(UsageTally),
    damaged: [],
  });
});

test('a turn ends in the form Codex has for its outcome', async () => {
  await writer.turnEnded('t1', { status: 'completed', lastMessage: 'done' });
  await writer.turnEnded('t2', { status: 'interrupted' });
  await writer.turnEnded('t3', { status: 'failed', error: { code: 'model.auth', message: 'no key' } });
  expect(
    recordsInFile()
      .slice(1)
      .map((record) => record.payload),
  ).toEqual([
    { type: 'task_complete', turn_id: 't1', last_agent_message: 'done' },
    { type: 'turn_aborted', turn_id: 't2', reason: 'interrupted' },
    {
      type: 'task_complete',
      turn_id: 't3',
      last_agent_message: null,
      error: { message: 'no key', codex_error_info: 'other' },
    },
  ]);
});

test('an answer is listed by Codex too', async () => {
  await writer.recordItems(work.slice(-1));
  expect(recordsInFile().at(-1)).toMatchObject({
    type: 'event_msg',
    payload: { type: 'agent_message', message: 'done', phase: 'final_answer' },
  });
});

test('one writer a session, until it is closed', async () => {
  const open = () => RolloutWriter.open({ codexHome, path, meta });
  expect(open).toThrow(expect.objectContaining({ kind: 'conflict', code: 'session.locked' }));
  await writer.recordItem(command);
  await writer.close();
  writer = open();
  await writer.recordItem({ ...command, id: 'item-3' });
  expect((await readRollout(path))?.items.map((item) => item.id)).toEqual(['item-2', 'item-3']);
  expect(recordsInFile().filter((record) => record.type === 'session_meta')).toHaveLength(1);
});
