/** `tscodex app-server` as a client meets it. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { png } from '../../base/pictures.test-support.ts';
import { calls, callsCustom, hangsAfter, says } from '../../model/scripted-model.ts';
import { type Fields, openPlace } from './app-client.test-support.ts';

let place: Awaited<ReturnType<typeof openPlace>>;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.remove());

const runs = (cmd: string) => calls('exec_command', { cmd });
const itemTypes = (items: Fields[]) => items.map(({ item }) => (item as Fields).type);

test('a turn is told from its start to its end, and is an ordinary session afterwards', async () => {
  const client = await place.client(says('I look.', runs('echo one')), says('It said one.'));
  const started = await client.call('thread/start', {
    sandbox: 'danger-full-access',
    approvalPolicy: 'never',
  });
  expect(started).toMatchObject({
    ...{ model: 'scripted-1', modelProvider: 'gateway', cwd: place.work, approvalPolicy: 'never' },
    sandbox: { type: 'dangerFullAccess' },
    thread: { cwd: place.work, status: { type: 'idle' }, turns: [], name: null, preview: '' },
  });
  const { id: threadId, path } = started.thread as { id: string; path: string };
  const turnId = await client.say(threadId, 'say one', { clientUserMessageId: 'mine' });
  // it is answered before anybody is told of it
  expect(client.of('turn/started').length).toBeLessThanOrEqual(1);
  const end = await client.endOf(turnId);
  expect(end).toMatchObject({ id: turnId, status: 'completed', error: null, itemsView: 'summary' });
  expect(end.items).toMatchObject([{ type: 'agentMessage', text: 'It said one.', phase: 'final_answer' }]);

  const methods = client.told.map(({ method }) => method).filter((method) => !method.startsWith('item/'));
  expect(methods).toEqual([
    'thread/started',
    ...['thread/status/changed', 'turn/started', 'thread/tokenUsage/updated', 'thread/tokenUsage/updated'],
    ...['thread/status/changed', 'turn/completed'],
  ]);
  const items = ['userMessage', 'agentMessage', 'commandExecution', 'agentMessage'];
  expect(itemTypes(client.of('item/started'))).toEqual(items);
  expect(itemTypes(client.of('item/completed')).sort()).toEqual([...items].sort());
  expect(client.of('item/completed')[0]?.item).toMatchObject({
    ...{ clientId: 'mine', content: [{ type: 'text', text: 'say one', text_elements: [] }] },
  });
  const command = client
    .of('item/completed')
    .find(({ item }) => (item as Fields).type === 'commandExecution');
  expect(command?.item).toMatchObject({
    ...{ command: "/bin/bash -lc 'echo one'", aggregatedOutput: 'one\n', exitCode: 0, status: 'completed' },
  });
  const said = client.of('item/agentMessage/delta').map(({ delta }) => delta);
  expect(said.join('')).toBe('I look.It said one.');

  expect(await client.end()).toBe(0);
  const records = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(JSON.parse(records[0] ?? '').payload).toMatchObject({ id: threadId, model_provider: 'gateway' });
  expect(client.notes).toEqual([]);
});

test('approvals: once, for the session, declined, and stopped', async () => {
  const touch = (name: string) => runs(`touch ${name}`);
  const client = await place.client(
    ...[says('', touch('one')), says('Made.')],
    ...[says('', touch('two')), says('Made two.')],
    ...[says('', touch('two')), says('Again.')],
    ...[says('', touch('three')), says('Then not.')],
    says('', touch('four')),
  );
  const threadId = await client.thread({ approvalPolicy: 'untrusted' });
  const asked = 'item/commandExecution/requestApproval';
  const decide = (decision: unknown) => client.answers.set(asked, () => ({ decision }));

  decide('accept');
  expect(await client.turn(threadId, 'make one')).toMatchObject({ status: 'completed' });
  expect(existsSync(join(place.work, 'one'))).toBe(true);
  const [request] = client.of(asked);
  expect(request).toMatchObject({
    ...{
      kind: 'command',
      threadId,
      command: "/bin/bash -lc 'touch one'",
      cwd: place.work,
      environmentId: 'local',
    },
    commandActions: [{ type: 'unknown', command: 'touch one' }],
    availableDecisions: expect.arrayContaining(['accept', 'acceptForSession', 'decline', 'cancel']),
  });
  expect(client.of('serverRequest/resolved')).toEqual([{ threadId, requestId: 0 }]);
  expect(client.of('thread/status/changed').map(({ status }) => status)).toContainEqual({
    ...{ type: 'active', activeFlags: ['waitingOnApproval'] },
  });

  decide('acceptForSession');
  await client.turn(threadId, 'make two');
  await client.turn(threadId, 'again');
  expect(client.of(asked)).toHaveLength(2);

  decide('decline');
  expect(await client.turn(threadId, 'make three')).toMatchObject({ status: 'completed' });
  decide('cancel');
  expect(await client.turn(threadId, 'make four')).toMatchObject({ status: 'interrupted' });
  expect(existsSync(join(place.work, 'three')) || existsSync(join(place.work, 'four'))).toBe(false);
  const statuses = client
    .of('item/completed')
    .flatMap(({ item }) => ((item as Fields).type === 'commandExecution' ? [(item as Fields).status] : []));
  expect(statuses).toEqual(['completed', 'completed', 'completed', 'declined', 'declined']);
});

test('an amendment is a rule that later processes follow; an answer that nobody knows declines', async () => {
  const client = await place.client(
    says('', runs('mkdir a')),
    says('Made.'),
    says('', runs('touch b')),
    says('No.'),
  );
  const threadId = await client.thread({ approvalPolicy: 'untrusted' });
  const asked = 'item/commandExecution/requestApproval';
  client.answers.set(asked, ({ proposedExecpolicyAmendment: execpolicy_amendment }) => ({
    decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment } },
  }));
  await client.turn(threadId, 'make a');
  expect(client.of(asked)[0]?.proposedExecpolicyAmendment).toEqual(['mkdir', 'a']);
  expect(await readFile(join(place.codexHome, 'rules', 'default.rules'), 'utf8')).toContain(
    'prefix_rule(pattern=["mkdir", "a"], decision="allow")',
  );
  client.answers.set(asked, () => ({ decision: 'approved' }));
  await client.turn(threadId, 'make b');
  expect(existsSync(join(place.work, 'b'))).toBe(false);

  const other = await place.client(says('', runs('mkdir a')), says('Tried.'));
  await other.turn(await other.thread({ approvalPolicy: 'untrusted' }), 'make a');
  expect(other.of(asked)).toEqual([]);
});

test('a patch is asked about with its changes told before, and a question with its options', async () => {
  const patch = '*** Begin Patch\n*** Add File: notes.txt\n+first\n+second\n*** End Patch';
  const questions = [
    { id: 'color', header: 'Color', question: 'Which?', options: [{ label: 'Red', description: 'warm' }] },
  ];
  const client = await place.client(
    ...[says('', callsCustom('apply_patch', patch)), says('', calls('request_user_input', { questions }))],
    says('Red it is.'),
  );
  client.answers.set('item/fileChange/requestApproval', () => ({ decision: 'accept' }));
  client.answers.set('item/tool/requestUserInput', () => ({ answers: { color: { answers: ['Red'] } } }));
  const threadId = await client.thread({ approvalPolicy: 'untrusted' });
  expect(await client.turn(threadId, 'write notes')).toMatchObject({ status: 'completed' });
  expect(await readFile(join(place.work, 'notes.txt'), 'utf8')).toBe('first\nsecond\n');
  const [asked] = client.of('item/fileChange/requestApproval');
  expect(asked).toMatchObject({ threadId, reason: 'Nothing confines it.', grantRoot: null });
  const told = client.told.map(({ method, params }) => [method, (params.item as Fields | undefined)?.id]);
  const begun = told.findIndex(([method, id]) => method === 'item/started' && id === asked?.itemId);
  expect(begun).toBeGreaterThan(-1);
  expect(begun).toBeLessThan(told.findIndex(([method]) => method === 'item/fileChange/requestApproval'));
  const change = client.of('item/started').find(({ item }) => (item as Fields).id === asked?.itemId);
  expect(change?.item).toMatchObject({
    changes: [{ path: join(place.work, 'notes.txt'), kind: { type: 'add' }, diff: 'first\nsecond\n' }],
  });
  expect(client.of('item/tool/requestUserInput')[0]).toMatchObject({
    questions: [{ ...questions[0], isOther: true, isSecret: false }],
  });
  expect(JSON.stringify(client.model.requests.at(-1)?.input)).toContain('Red');
});

test.each<[string, object, string]>([
  ['nothing', { answers: {} }, '{"answers":{"color":{"answers":[""]}}}'],
  ['an empty answer', { answers: { color: { answers: [] } } }, '{"answers":{"color":{"answers":[""]}}}'],
  ['no answer that is known', { no: 1 }, '{"answers":{"color":{"answers":[""]}}}'],
  [
    'an option with a note',
    { answers: { color: { answers: ['Red', 'user_note: dark'] } } },
    '{"answers":{"color":{"answers":["Red","user_note: dark"]}}}',
  ],
])('a question to which the client says %s ends, and the turn goes on', async (_, result, output) => {
  const questions = [
    { id: 'color', header: 'Color', question: 'Which?', options: [{ label: 'Red', description: 'warm' }] },
  ];
  const client = await place.client(says('', calls('request_user_input', { questions })), says('Done.'));
  client.answers.set('item/tool/requestUserInput', () => result);
  expect(await client.turn(await client.thread(), 'ask me')).toMatchObject({ status: 'completed' });
  expect(client.model.requests.at(-1)?.input).toContainEqual(
    expect.objectContaining({ type: 'function_call_output', output }),
  );
  expect(client.notes).toEqual([]);
});

test('a running turn is steered, also by turn/start, and interrupted', async () => {
  const client = await place.client(hangsAfter('Wait'), says('Other.'));
  const threadId = await client.thread();
  const turnId = await client.say(threadId, 'begin');
  await client.until(({ method }) => method === 'item/agentMessage/delta');
  const input = [{ type: 'text', text: 'and this' }];
  await expect(client.call('turn/steer', { threadId, expectedTurnId: 'wrong', input })).rejects.toMatchObject(
    {
      ...{ code: -32600, message: `expected active turn id \`wrong\` but found \`${turnId}\`` },
    },
  );
  expect(await client.call('turn/steer', { threadId, expectedTurnId: turnId, input })).toEqual({ turnId });
  // answered once a turn takes it, with the id of that one
  const later = client.say(threadId, 'also this', { clientUserMessageId: 'later' });
  await expect(client.call('turn/interrupt', { threadId, turnId: 'wrong' })).rejects.toThrow(
    'expected active',
  );
  expect(await client.call('turn/interrupt', { threadId, turnId })).toEqual({});
  expect(await client.endOf(turnId)).toMatchObject({ status: 'interrupted', error: null });
  // what it had not taken begins the next
  const next = await client.until(
    ({ method, params }) => method === 'turn/started' && (params.turn as Fields).id !== turnId,
  );
  expect(await later).toBe((next.params.turn as Fields).id);
  await client.endOf(await later);
  expect(client.tookIn('later')).toBe(await later);
  await expect(client.call('turn/interrupt', { threadId, turnId })).rejects.toThrow(
    'no active turn to interrupt',
  );
  await expect(client.call('turn/steer', { threadId, expectedTurnId: turnId, input })).rejects.toThrow(
    'no active turn to steer',
  );
});

test('turn/start names the turn that takes what is said, whatever ends meanwhile', async () => {
  const client = await place.client(
    hangsAfter('Wait'),
    says('After the stop.'),
    hangsAfter('A summ'),
    says('After the summary.'),
    says('Quick.'),
    says('Late.'),
  );
  const threadId = await client.thread();
  const say = (id: string) => client.say(threadId, id, { clientUserMessageId: id });
  const first = await say('first');
  await client.until(({ method }) => method === 'item/agentMessage/delta');
  await client.call('turn/interrupt', { threadId, turnId: first });
  const stopped = await say('after the stop');
  expect(await client.endOf(stopped)).toMatchObject({ status: 'completed' });

  await client.call('thread/compact/start', { threadId });
  const summing = await client.until(
    ({ method, params }) => method === 'item/started' && (params.item as Fields).type === 'contextCompaction',
  );
  const { turnId: compaction } = summing.params;
  const input = [{ type: 'text', text: 'x' }];
  await expect(
    client.call('turn/steer', { threadId, expectedTurnId: compaction, input }),
  ).rejects.toMatchObject({ code: -32600, message: 'cannot steer a compact turn' });
  const summed = say('after the summary');
  await client.call('turn/interrupt', { threadId, turnId: compaction });
  expect(await client.endOf(await summed)).toMatchObject({ status: 'completed' });

  const quick = await say('quick');
  await client.until(
    ({ method, params }) =>
      method === 'item/completed' &&
      params.turnId === quick &&
      (params.item as Fields).type === 'agentMessage',
  );
  const late = await say('late');
  await client.endOf(late);
  for (const [id, turnId] of Object.entries({
    ...{ first, late, quick, 'after the stop': stopped, 'after the summary': await summed },
  }))
    expect([id, client.tookIn(id)]).toEqual([id, turnId]);
});

test('what no turn takes before its thread is closed is refused', async () => {
  const client = await place.client(hangsAfter('Wait'));
  const threadId = await client.thread();
  await client.say(threadId, 'begin');
  await client.until(({ method }) => method === 'item/agentMessage/delta');
  const waiting = client.say(threadId, 'and this');
  const refused = expect(waiting).rejects.toThrow('was closed before a turn took this');
  await client.call('thread/archive', { threadId });
  await refused;
});

test('two threads work beside each other, and a conversation is summed up', async () => {
  const client = await place.client(
    hangsAfter('Hold'),
    says('Quick.'),
    says('A summary of it all, in a few words.'),
  );
  const [slow, quick] = [await client.thread(), await client.thread()];
  const held = await client.say(slow, 'take your time');
  await client.until(({ method }) => method === 'item/agentMessage/delta');
  expect(await client.turn(quick, 'quickly')).toMatchObject({ status: 'completed' });
  const told = client.told.filter(({ method }) => method === 'turn/completed');
  expect(told.map(({ params }) => params.threadId)).toEqual([quick]);
  await client.call('turn/interrupt', { threadId: slow, turnId: held });
  await client.endOf(held);
  expect(await client.call('thread/compact/start', { threadId: quick })).toEqual({});
  await client.until(
    ({ method, params }) =>
      method === 'item/completed' && (params.item as Fields).type === 'contextCompaction',
  );
});

test('a failed turn says why, and a model that is not there is retried aloud', async () => {
  const { ModelFailure } = await import('../../model/client.ts');
  const client = await place.client(async function* () {
    yield { type: 'retrying', attempt: 1, max: 2, delayMs: 1, httpStatus: 500, message: 'it broke' };
    throw new ModelFailure('quota', 'gateway: the quota is used up.');
  });
  const threadId = await client.thread();
  expect(await client.turn(threadId, 'hello')).toMatchObject({
    ...{ status: 'failed', items: [] },
    error: { message: 'gateway: the quota is used up.', codexErrorInfo: 'usageLimitExceeded' },
  });
  expect(client.of('error')).toMatchObject([
    { willRetry: true, error: { message: 'Reconnecting... 1/2', additionalDetails: 'it broke' } },
    { willRetry: false, error: { codexErrorInfo: 'usageLimitExceeded' } },
  ]);
  expect(client.of('thread/status/changed').at(-1)).toMatchObject({ status: { type: 'systemError' } });
});

test('what makes no sense is answered, and does no harm', async () => {
  const client = place.raw();
  expect(await client.ask('thread/list')).toMatchObject({
    error: { code: -32600, message: 'Not initialized' },
  });
  client.write('this is not json\n[1,2]\n{"id":7}\n{"id":999,"result":{}}\n');
  expect([await client.astray(), await client.astray(), await client.astray()]).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
  ]);
  expect(await client.ask('initialize', { clientInfo: { name: 'x' } })).toMatchObject({
    error: { code: -32600, message: expect.stringContaining('clientInfo.version') },
  });
  const greeting = { clientInfo: { name: 'x', title: null, version: '0' }, capabilities: null };
  const greeted = await client.call('initialize', greeting);
  expect(greeted).toMatchObject({ codexHome: place.codexHome, platformFamily: 'unix', platformOs: 'linux' });
  expect(greeted.userAgent).toMatch(/^x\/0\.171\.0 .*tscodex\//);
  expect(await client.ask('initialize', greeting)).toMatchObject({
    error: { message: 'Already initialized' },
  });
  expect(await client.ask('no/such', {})).toEqual({
    id: expect.anything(),
    error: {
      code: -32600,
      message: 'Invalid request: unknown variant `no/such`: tscodex app-server does not serve this method',
      data: { code: 'client.method' },
    },
  });
  const refused = [
    ['thread/start', { sandbox: 'bogus' }, 'thread/start.sandbox'],
    ['thread/start', { approvalPolicy: 'on-failure' }, 'thread/start.approvalPolicy'],
    ['thread/start', { cwd: '/missing' }, 'cannot work in /missing'],
    ['thread/start', { modelProvider: 'other' }, 'modelProvider "other" is not the one'],
    ['thread/start', { config: { sandbox_mode: 'bogus' } }, 'sandbox_mode'],
    ['turn/start', { threadId: 'nope', input: [] }, 'turn/start.threadId'],
    ['thread/resume', { threadId: '01a22a60-37cf-72f1-a7b5-c3a7b41f5a99' }, 'no rollout found'],
    ['thread/read', { threadId: '01a22a60-37cf-72f1-a7b5-c3a7b41f5a99' }, 'thread not loaded'],
    ['thread/list', { cursor: 'nowhere' }, 'cursor'],
  ] as const;
  for (const [method, params, words] of refused)
    expect(await client.ask(method, params)).toMatchObject({
      error: { code: -32600, message: expect.stringContaining(words) },
    });
  const threadId = await client.thread({ bogusField: 1, config: { model_reasoning_effort: 'high' } });
  await expect(client.call('thread/compact/start', { threadId })).rejects.toThrow('nothing to sum up');
  for (const [input, words] of [
    [[], 'neither text nor an image'],
    [[{ type: 'image', url: 'http://127.0.0.1/x.png' }], 'nothing is fetched'],
    [[{ type: 'audio', url: 'x' }], 'turn/start.input.0.type'],
  ] as const)
    expect(await client.ask('turn/start', { threadId, input })).toMatchObject({
      error: { message: expect.stringContaining(words) },
    });
  client.write('{"jsonrpc":"2.0","id":"str-id","method":"thread/loaded/list"}\n');
  expect(await client.astray()).toEqual({ id: 'str-id', result: { data: [threadId], nextCursor: null } });
});

test('images lie with the process and go with it, and one for a turn that is over is not kept', async () => {
  const client = await place.client(hangsAfter('Seen'));
  const threadId = await client.thread();
  const image = { type: 'image', url: `data:image/png;base64,${png(30, 20).toString('base64')}` };
  const input = [{ type: 'text', text: 'look' }, image];
  await client.call('turn/start', { threadId, input });
  await client.until(({ method }) => method === 'item/agentMessage/delta');
  expect(JSON.stringify(client.model.requests[0]?.input)).toContain(image.url);
  await expect(client.call('turn/steer', { threadId, expectedTurnId: 'over', input })).rejects.toThrow(
    'expected active turn id',
  );
  const kept = async () => {
    const names = await readdir(place.dir, { recursive: true });
    return names.filter((name) => /attachments\/.*\//.test(name));
  };
  expect(await kept()).toEqual([expect.stringMatching(/exec\/run-[^/]+\/attachments\//)]);
  await client.end();
  expect(await kept()).toEqual([]);
});

test('what a turn sets holds from then on, and an ephemeral thread leaves nothing', async () => {
  const client = await place.client(says('', runs('touch x')), says('Done.'));
  const threadId = await client.thread({ approvalPolicy: 'untrusted', ephemeral: true });
  const end = await client.turn(threadId, 'make x', {
    ...{ approvalPolicy: 'never', sandboxPolicy: { type: 'dangerFullAccess' }, model: 'scripted-2' },
  });
  expect(end.status).toBe('completed');
  expect(existsSync(join(place.work, 'x'))).toBe(true);
  expect(client.model.requests[0]?.model).toBe('scripted-2');
  const policy = { type: 'workspaceWrite', writableRoots: ['/srv'], networkAccess: false };
  const asked = { threadId, input: [{ type: 'text', text: 'x' }], sandboxPolicy: policy };
  expect(await client.ask('turn/start', asked)).toMatchObject({
    error: { message: expect.stringContaining('/srv is not one of this thread') },
  });
  const config = { sandbox_workspace_write: { exclude_slash_tmp: true, writable_roots: ['/srv'] } };
  const other = await client.call('thread/start', { sandbox: 'workspace-write', config, ephemeral: true });
  expect(other.sandbox).toEqual({
    ...{ ...policy, excludeSlashTmp: true, excludeTmpdirEnvVar: false },
  });
  expect(await client.end()).toBe(0);
  expect(await place.conversations()).toEqual([]);
});

test('what a client is asked as it goes is not answered for it', async () => {
  const client = await place.client(says('', runs('touch made')), says('Not told.'));
  const { thread } = await client.call('thread/start', {
    sandbox: 'danger-full-access',
    approvalPolicy: 'untrusted',
  });
  const { id, path } = thread as { id: string; path: string };
  await client.say(id, 'make it');
  await client.until(({ method }) => method === 'item/commandExecution/requestApproval');
  expect(await client.end()).toBe(0);
  expect(client.model.requests).toHaveLength(1);
  expect(existsSync(join(place.work, 'made'))).toBe(false);
  expect(await readFile(path, 'utf8')).toContain('"type":"turn_aborted"');
});

test.for(['the end of stdin', 'a signal'])(
  '%s stops what runs, and all of it is in the file',
  async (how) => {
    const client = await place.client(says('', runs('sleep 600')));
    const { thread } = await client.call('thread/start', {
      sandbox: 'danger-full-access',
      approvalPolicy: 'never',
    });
    const { id, path } = thread as { id: string; path: string };
    await client.say(id, 'sleep');
    await client.until(
      ({ method, params }) =>
        method === 'item/started' && (params.item as Fields).type === 'commandExecution',
    );
    expect(await (how === 'a signal' ? client.stop() : client.end())).toBe(0);
    expect(await readFile(path, 'utf8')).toContain('"type":"turn_aborted"');
    const again = await place.client(says('Here.'));
    const { thread: back } = await again.call('thread/resume', { threadId: id });
    expect((back as { turns: Fields[] }).turns).toMatchObject([{ status: 'interrupted' }]);
  },
);
