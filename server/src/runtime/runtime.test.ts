import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isToolCall, type ResponseItem, textOf } from '../base/response-items.ts';
import { personText } from '../base/said-by-people.ts';
import { ModelFailure } from '../model/client.ts';
import {
  calls,
  callsCustom,
  hangsAfter,
  type ScriptedAnswer,
  ScriptedModel,
  says,
} from '../model/scripted-model.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox();
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const model = new ScriptedModel(...answers);
  const session = await box.load(id, model);
  return { id, model, session, watcher: new Watcher(session) };
}

const texts = (items: readonly Item[]) =>
  items.flatMap((item) => ('text' in item ? [`${item.type}: ${item.text}`] : [item.type]));
const userTexts = (model: ScriptedModel, n: number) =>
  model.requests[n]?.input.flatMap((item) =>
    item.type === 'message' && item.role === 'user'
      ? item.content.map((part) => ('text' in part ? part.text : ''))
      : [],
  );
const outputs = (model: ScriptedModel, n: number) =>
  model.requests[n]?.input.flatMap((item) => ('output' in item ? [item.output] : []));

/** An answer that waits, once it has been asked for, until the test lets it go on. */
function withGate(answer: ScriptedAnswer) {
  let open_: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open_ = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    open: open_,
    answer: async function* (...args: Parameters<ScriptedAnswer>) {
      arrive();
      await opened;
      yield* answer(...args);
    } satisfies ScriptedAnswer,
  };
}

test('a message becomes a turn with an answer, and both survive a reload of the session', async () => {
  const { id, model, session, watcher } = await open(says('Hello there.'));
  const sent = message('hi');
  expect(await session.submit(sent, 'Mei')).toEqual({ inputId: sent.id, duplicate: false });
  const state = await watcher.idle();
  expect(texts(state.items)).toEqual(['userMessage: hi', 'agentMessage: Hello there.']);
  expect(state.items[0]).toMatchObject({
    author: 'Mei',
    inputId: sent.id,
    mode: 'steer',
    status: 'completed',
  });
  expect(state.items[1]).toMatchObject({ phase: 'final', status: 'completed' });
  expect(state.title).toBe('hi');
  expect(model.requests[0]).toMatchObject({ model: 'scripted-1', cacheKey: id });
  await session.unload('shutdown');

  const again = await box.load(id, new ScriptedModel());
  expect(again.snapshot().state.items).toEqual(state.items);
  expect(again.snapshot().state.title).toBe('hi');
  expect(await again.submit(sent, 'Mei')).toEqual({ inputId: sent.id, duplicate: true });
  expect(again.snapshot().state.status).toBe('idle');
  await again.unload('shutdown');
});

test('Q6: an id is accepted once, also when both come at the same time', async () => {
  const { model, session, watcher } = await open(says('once'));
  const sent = message('do it');
  const both = await Promise.all([session.submit(sent, null), session.submit(sent, null)]);
  expect(both.map((b) => b.duplicate)).toEqual([false, true]);
  const state = await watcher.idle();
  expect(state.items.filter((i) => i.type === 'userMessage')).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
  await session.unload('shutdown');
});

test('a steer joins the running turn before its next request, a queued message runs as its own turn', async () => {
  const gate = withGate(says('Looking.', calls('update_plan', { plan: [] })));
  const { model, session, watcher } = await open(
    gate.answer,
    says('Done with both.'),
    says('And the third.'),
  );
  await session.submit(message('start'), null);
  await gate.reached;
  await session.submit(message('then that', 'queue'), null);
  await session.submit(message('also this'), null);
  gate.open();
  const state = await watcher.until((s) => model.requests.length === 3 && s.turn === null);
  const turns = state.items.flatMap((i) => (i.type === 'userMessage' ? [[i.text, i.turnId]] : []));
  expect(turns.map(([text]) => text)).toEqual(['start', 'also this', 'then that']);
  expect(turns[1]?.[1]).toBe(turns[0]?.[1]);
  expect(turns[2]?.[1]).not.toBe(turns[0]?.[1]);
  expect(watcher.events.filter((event) => event.type === 'turn.started')).toHaveLength(2);
  expect(userTexts(model, 1)?.slice(1)).toEqual(['start', 'also this']);
  await session.unload('shutdown');
});

test('Q15: the model is told of a message that its author wrote before seeing the latest answer', async () => {
  const gate = withGate(says('Shall I delete it all?'));
  const { id, model, session, watcher } = await open(gate.answer, says('Noted.'), says('Gladly.'));
  await session.submit(message('look around'), null);
  await gate.reached;
  const { seq } = session.snapshot();
  await session.submit({ ...message('yes, do that', 'queue'), seen: seq }, null);
  gate.open();
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  const notes = (n: number) =>
    (model.requests[n]?.input ?? []).flatMap((item, at, all) =>
      item.type === 'message' && item.role === 'developer' && textOf(item).startsWith('<note>')
        ? [all[at + 1]]
        : [],
    );
  expect(notes(1)).toEqual([personText('yes, do that')]);

  await session.submit({ ...message('thanks'), seen: session.snapshot().seq }, null);
  await watcher.until((s) => model.requests.length === 3 && s.turn === null);
  // the note stays where it was: what the model has seen is not rewritten
  expect(notes(2)).toEqual([personText('yes, do that')]);
  await session.unload('shutdown');
  const again = await box.load(id, model);
  const texts = again.snapshot().state.items.flatMap((i) => (i.type === 'userMessage' ? [i.text] : []));
  expect(texts).toEqual(['look around', 'yes, do that', 'thanks']);
  await again.unload('shutdown');
});

test('a steer that comes with the final answer keeps the turn going', async () => {
  const gate = withGate(says('The answer.'));
  const { model, session, watcher } = await open(gate.answer, says('With the steer.'));
  await session.submit(message('question'), null);
  await gate.reached;
  await session.submit(message('one more thing'), null);
  gate.open();
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  expect(watcher.events.filter((event) => event.type === 'turn.started')).toHaveLength(1);
  expect(userTexts(model, 1)?.slice(1)).toEqual(['question', 'one more thing']);
  await session.unload('shutdown');
});

test('interrupting ends the request, closes the message and tells the model', async () => {
  const { model, session, watcher } = await open(hangsAfter('I was about to'), says('Fine.'));
  await session.submit(message('long task'), null);
  await watcher.until((s) => s.items.some((i) => i.type === 'agentMessage' && i.text !== ''));
  await session.interrupt(null);
  const stopped = await watcher.idle();
  expect(texts(stopped.items)).toEqual([
    'userMessage: long task',
    'agentMessage: I was about to',
    'notice: Stopped.',
  ]);
  expect(stopped.items[1]).toMatchObject({ status: 'interrupted' });
  await session.submit(message('short task'), null);
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  expect(userTexts(model, 1)?.join('\n')).toContain('A person stopped the previous turn');
  await session.unload('shutdown');
});

test('a command asks first, runs when allowed, and its output reaches the model', async () => {
  const { model, session, watcher } = await open(
    says('', calls('exec_command', { cmd: 'echo from the shell' })),
    says('It said so.'),
  );
  await session.submit(message('run it'), null);
  const asking = await watcher.until((s) => s.asks.length > 0);
  expect(asking.status).toBe('asking');
  expect(asking.asks[0]).toMatchObject({
    kind: 'approval',
    approval: { what: 'command', command: 'echo from the shell', cwd: box.workDir },
  });
  await session.answer(asking.asks[0]?.id ?? '', { choice: 'once' }, 'Mei');
  const state = await watcher.idle();
  expect(outputs(model, 1)?.[0]).toContain('from the shell');
  const command = state.items.find((item) => item.type === 'commandExecution');
  expect(command).toMatchObject({
    status: 'completed',
    exitCode: 0,
    output: 'from the shell\n',
    sandbox: 'none',
  });
  expect(command).toMatchObject({ decision: { outcome: 'answered', choice: 'once', by: 'Mei' } });
  expect(state.asks).toEqual([]);
  await session.unload('shutdown');
});

test('declining with words lets the model read them; the first answer wins', async () => {
  const { model, session, watcher } = await open(
    says('', calls('exec_command', { cmd: 'touch made-it' })),
    says('Understood.'),
  );
  await session.submit(message('run it'), null);
  const { asks } = await watcher.until((s) => s.asks.length > 0);
  const askId = asks[0]?.id ?? '';
  expect(session.askEnding(askId)).toEqual({ outcome: null, by: null });
  const answers = await Promise.allSettled([
    session.answer(askId, { choice: 'decline', reason: 'use the other folder' }, 'Mei'),
    session.answer(askId, { choice: 'once' }, 'Jo'),
  ]);
  expect(answers.map((a) => a.status)).toEqual(['fulfilled', 'rejected']);
  expect(answers[1]).toMatchObject({
    reason: { kind: 'conflict', code: 'ask.ended', details: { outcome: 'answered', by: 'Mei' } },
  });
  const { items } = await watcher.idle();
  expect(items.find(({ type }) => type === 'commandExecution')).toMatchObject({
    status: 'declined',
    decision: { outcome: 'answered', choice: 'decline', reason: 'use the other folder', by: 'Mei' },
  });
  expect(outputs(model, 1)?.[0]).toContain('use the other folder');
  // also after its turn
  expect(session.askEnding(askId)).toEqual({
    ...{ outcome: 'answered', by: 'Mei', answer: { choice: 'decline', reason: 'use the other folder' } },
  });
  expect(() => session.askEnding('another')).toThrow('There is no question another');
  await expect(readFile(join(box.workDir, 'made-it'))).rejects.toThrow('ENOENT');
  await session.unload('shutdown');
});

test('allowed for this session: the identical command does not ask again, also after a reload', async () => {
  const { id, session, watcher } = await open(
    says('', calls('exec_command', { cmd: 'true' })),
    says('', calls('exec_command', { cmd: 'true' })),
    says('Twice.'),
  );
  await session.submit(message('twice'), null);
  const { asks } = await watcher.until((s) => s.asks.length > 0);
  await session.answer(asks[0]?.id ?? '', { choice: 'session' }, null);
  await watcher.idle();
  expect(watcher.events.filter((event) => event.type === 'ask.opened')).toHaveLength(1);
  await session.unload('shutdown');
  const model = new ScriptedModel(says('', calls('exec_command', { cmd: 'true' })), says('Thrice.'));
  const again = await box.load(id, model);
  const second = new Watcher(again);
  await again.submit(message('again'), null);
  await second.until((s) => model.requests.length === 2 && s.turn === null);
  expect(second.events.filter((event) => event.type === 'ask.opened')).toEqual([]);
  await again.unload('shutdown');
});

test('a question waits for its answers', async () => {
  const question = {
    id: 'colour',
    header: 'Colour',
    question: 'Which colour?',
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cool' },
    ],
  };
  const { model, session, watcher } = await open(
    says('', calls('request_user_input', { questions: [question] })),
    says('Blue it is.'),
  );
  await session.submit(message('ask me'), null);
  const { asks } = await watcher.until((s) => s.asks.length > 0);
  expect(asks[0]).toMatchObject({ kind: 'question', questions: [{ ...question, allowOther: true }] });
  const askId = asks[0]?.id ?? '';
  await expect(session.answer(askId, { choice: 'once' }, null)).rejects.toMatchObject({ code: 'ask.answer' });
  await expect(session.answer(askId, { answers: { other: ['x'] } }, null)).rejects.toMatchObject({
    code: 'ask.answer',
  });
  await session.answer(askId, { answers: { colour: ['Blue'] } }, null);
  await watcher.idle();
  expect(outputs(model, 1)).toEqual(['{"answers":{"colour":{"answers":["Blue"]}}}']);
  await session.unload('shutdown');
});

test('interrupting withdraws what was asked; a late answer is told so and nothing runs', async () => {
  const { session, watcher } = await open(says('', calls('exec_command', { cmd: 'touch made-it' })));
  await session.submit(message('run it'), null);
  const { asks } = await watcher.until((s) => s.asks.length > 0);
  await session.interrupt(null);
  const state = await watcher.idle();
  expect(state.asks).toEqual([]);
  await expect(session.answer(asks[0]?.id ?? '', { choice: 'once' }, null)).rejects.toMatchObject({
    code: 'ask.ended',
    details: { outcome: 'withdrawn' },
  });
  expect(state.items.find((i) => i.type === 'commandExecution')).toMatchObject({ status: 'interrupted' });
  await expect(readFile(join(box.workDir, 'made-it'))).rejects.toThrow('ENOENT');
  await session.unload('shutdown');
});

test('a patch is shown as a change, asked for and applied', async () => {
  await writeFile(join(box.workDir, 'a.txt'), 'one\n');
  const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch';
  const { session, watcher } = await open(says('', callsCustom('apply_patch', patch)), says('Edited.'));
  await session.submit(message('edit'), null);
  const { asks } = await watcher.until((s) => s.asks.length > 0);
  expect(asks[0]?.approval).toMatchObject({ what: 'patch' });
  await session.answer(asks[0]?.id ?? '', { choice: 'once' }, null);
  const state = await watcher.idle();
  expect(await readFile(join(box.workDir, 'a.txt'), 'utf8')).toBe('two\n');
  expect(state.items.find((i) => i.type === 'fileChange')).toMatchObject({
    status: 'completed',
    changes: [{ kind: 'update', diff: expect.stringContaining('-one\n+two') }],
  });
  await session.unload('shutdown');
});

test('unknown tools and arguments that are no JSON are told to the model, and the turn goes on', async () => {
  const { model, session, watcher } = await open(
    says('', calls('teleport', { to: 'moon' }), {
      type: 'function_call',
      call_id: 'bad',
      name: 'exec_command',
      arguments: '{"cmd": "ls',
    }),
    says('Sorry.'),
  );
  await session.submit(message('go'), null);
  await watcher.idle();
  expect(outputs(model, 1)).toEqual([
    'There is no tool named teleport.',
    expect.stringContaining('not valid JSON'),
  ]);
  await session.unload('shutdown');
});

test('a provider that fails ends the turn with its message; the next message works', async () => {
  const { model, session, watcher } = await open(() => {
    throw new ModelFailure('auth', 'openai: 401 for gpt-x: check the key in OPENAI_API_KEY.', {
      httpStatus: 401,
    });
  }, says('Works now.'));
  await session.submit(message('one'), null);
  const failed = await watcher.idle();
  expect(failed.items.at(-1)).toMatchObject({
    type: 'notice',
    level: 'error',
    code: 'model.auth',
    text: 'openai: 401 for gpt-x: check the key in OPENAI_API_KEY.',
  });
  await session.submit(message('two'), null);
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  expect(texts(watcher.state?.items ?? []).at(-1)).toBe('agentMessage: Works now.');
  await session.unload('shutdown');
});

test('of an answer that stops early the text stays in the history, for "continue"; its call is not run', async () => {
  const half: ResponseItem = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Half of' }],
  };
  const { model, session, watcher } = await open(function* () {
    yield { type: 'item', item: half };
    yield { type: 'item', item: calls('update_plan', { plan: [] }) };
    yield { type: 'completed', usage: null, incomplete: 'max_output_tokens' };
  }, says('it.'));
  await session.submit(message('all of it'), null);
  const stopped = await watcher.idle();
  expect(texts(stopped.items)).toEqual([
    'userMessage: all of it',
    'agentMessage: Half of',
    'notice: scripted: scripted-1 stopped early (max_output_tokens). Say "continue", or ask for less at a time.',
  ]);
  await session.submit(message('continue'), null);
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  const sent = model.requests[1]?.input ?? [];
  expect(sent).toContainEqual(half);
  expect(sent.filter(isToolCall)).toEqual([]);
  await session.unload('shutdown');
});

test('retries fold into one notice and start the message anew', async () => {
  const { session, watcher } = await open(async function* (request, signal) {
    yield { type: 'text', itemId: 'm1', delta: 'half an ans' };
    for (const attempt of [1, 2])
      yield { type: 'retrying', attempt, max: 5, delayMs: 1, httpStatus: 500, message: 'the stream was cut' };
    yield* says('A whole answer.')(request, signal);
  });
  await session.submit(message('hi'), null);
  const { items } = await watcher.idle();
  expect(texts(items)).toEqual([
    'userMessage: hi',
    'agentMessage: A whole answer.',
    'notice: Retry 2/5. the stream was cut',
  ]);
  expect(items.at(-1)).toMatchObject({ code: 'model.retry', status: 'completed', details: { attempts: 2 } });
  await session.unload('shutdown');
});

test('commands run beside the agent, and an unknown one is told as such', async () => {
  const { session, watcher } = await open();
  await session.submit(message('/title A fine title'), null);
  await session.submit(message('/nonsense at all'), null);
  await session.submit(message('/model'), null);
  const { items, title } = await watcher.until(
    (s) => s.items.filter((i) => i.type === 'notice').length === 3,
  );
  expect(title).toBe('A fine title');
  const notices = items.filter((i) => i.type === 'notice');
  expect(notices.map((n) => n.code)).toEqual(['command.title', 'command.unknown', 'command.model']);
  expect(notices[1]).toMatchObject({ level: 'error', details: { text: '/nonsense at all' } });
  expect(notices[2]?.text).toContain('scripted-1, scripted-2');
  expect(items.filter((i) => i.type === 'userMessage').map((i) => i.mode)).toEqual(Array(3).fill('command'));
  await session.unload('shutdown');
});

test('what waits can be edited, moved and withdrawn until it is taken', async () => {
  const { session, watcher } = await open(hangsAfter('busy'));
  await session.submit(message('start'), null);
  await watcher.until((s) => s.items.some((i) => i.type === 'agentMessage'));
  const [a, b] = [message('a', 'queue'), message('b', 'queue')];
  await session.submit(a, null);
  await session.submit(b, null);
  await session.changeInput(b.id, { text: 'b, better', position: 0 }, 'Jo');
  expect(watcher.state?.waiting.map((w) => w.text)).toEqual(['b, better', 'a']);
  expect(watcher.state?.waiting[0]).toMatchObject({ author: 'Jo' });
  await session.withdrawInput(a.id);
  expect(watcher.state?.waiting.map((w) => w.text)).toEqual(['b, better']);
  await expect(session.withdrawInput(a.id)).rejects.toMatchObject({ kind: 'notFound', code: 'input.gone' });
  expect(await session.submit(a, null)).toMatchObject({ duplicate: true });
  await session.unload('shutdown');
});

test('a viewer that comes back gets what it missed, or a snapshot', async () => {
  const { session, watcher } = await open(says('one two three'));
  const epoch = session.snapshot().epoch;
  await session.submit(message('hi'), null);
  await watcher.idle();
  const seen: string[] = [];
  const viewer = {
    snapshot: () => seen.push('snapshot'),
    events: (_epoch: string, events: readonly { seq: number }[]) =>
      seen.push(...events.map((e) => `${e.seq}`)),
    ended: () => undefined,
  };
  const last = session.snapshot().seq;
  session.subscribe(viewer, { epoch, after: last - 2 })();
  expect(seen).toEqual([`${last - 1}`, `${last}`]);
  session.subscribe(viewer, { epoch: 'another', after: last - 2 })();
  session.subscribe(viewer, { epoch, after: last + 1 })();
  expect(seen.slice(2)).toEqual(['snapshot', 'snapshot']);
  await session.unload('shutdown');
});
