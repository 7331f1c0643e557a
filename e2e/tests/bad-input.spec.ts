/** What is wrong is refused with a sentence and a status, changes nothing, and the session goes on. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { FileChange, ToolCall } from '@tscodex/shared/items';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { runCommand } from '../support/command.ts';
import { answered, lastOutput, said } from '../support/conversation.ts';
import { FakeModel, type Step } from '../support/fake-model.ts';
import { Box, type RunningServer } from '../support/server.ts';
import { SocketClient } from '../support/socket-client.ts';

let model: FakeModel;
let box: Box;
let server: RunningServer;
let session: string;

test.beforeAll(async () => {
  model = await FakeModel.start();
  box = await Box.make({ modelUrl: model.url, toml: FULL_ACCESS });
  const broken = [
    { id: 'gone', work_dir: join(box.dir, 'gone') },
    { id: 'no dir' },
    { id: 'nowhere' },
    { id: 'demo', work_dir: box.workDir },
  ];
  await writeFile(box.configPath, JSON.stringify([{ id: 'demo', work_dir: box.workDir }, ...broken]));
  server = await box.start();
});

test.beforeEach(async () => {
  model.reset();
  session = await server.newSession();
});

test.afterAll(async () => {
  await server.kill();
  await model.stop();
  await box.remove();
});

/** Status, code and sentence of a refusal. */
async function refusal(method: string, path: string, body?: unknown) {
  const response = await server.request(method, path, body);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, ...error };
}

/** A body as it stands. */
async function post(path: string, body: Uint8Array<ArrayBuffer> | string, type = 'application/json') {
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': type },
    body,
  });
  return { status: response.status, body: await response.text() };
}

/** The session holds nothing it should not, and answers. */
async function expectUntouched(): Promise<void> {
  const state = await server.state(session);
  expect(state).toMatchObject({ items: [], waiting: [], status: 'idle' });
  await server.send(session, 'hello');
  expect(answered(await server.idle(session))).toEqual(['OK.']);
}

test('a list of workspaces that is no JSON is refused by line and column', async () => {
  const path = join(box.dir, 'broken.json');
  await writeFile(path, '{\n  "workspaces": [\n    { "id": "a", }\n  ]\n}\n');
  const flags = [
    '--workspace-config',
    path,
    '--state-dir',
    join(box.dir, 'other'),
    '--listen',
    '127.0.0.1:0',
  ];
  const ended = await runCommand(box, flags);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^tscodex-ws: \S+\/broken\.json:3:18: not valid JSON \(.*\)\n$/);
});

test('broken workspaces are shown as broken and stop no other', async () => {
  const shown = (await server.workspaces()).map(({ id, problem }) => [id, problem?.message]);
  const file = 'workspaces.json: ';
  expect(shown).toEqual([
    ['demo', undefined],
    ['gone', `${file}[1].work_dir: ${box.dir}/gone does not exist`],
    ['workspace-1', expect.stringMatching(/^workspaces\.json: \[2\]\.id: may only contain letters/)],
    ['nowhere', `${file}[3].work_dir: is missing: name the directory to work in`],
    ['workspace-2', `${file}[4].id: demo is the id of an earlier entry`],
  ]);
  for (const [, problem] of shown.slice(1)) expect(server.stdout).toContain(`broken: ${problem}`);
  expect(await refusal('POST', 'api/workspaces/gone/sessions', {})).toEqual({
    status: 503,
    code: 'workspace.broken',
    message: `gone: ${file}[1].work_dir: ${box.dir}/gone does not exist`,
    details: { name: 'gone' },
  });
});

test('what is unknown is 404, by name', async () => {
  const id = randomUUID();
  const message = { id, text: 'hello' };
  const cases: [string, string, unknown, string, RegExp][] = [
    ['GET', 'api/workspaces/nope/sessions', undefined, 'workspace.unknown', /no workspace nope\.$/],
    ['POST', 'api/workspaces/nope/sessions', {}, 'workspace.unknown', /no workspace nope\.$/],
    ['GET', `api/sessions/${id}`, undefined, 'session.unknown', new RegExp(`session ${id}\\.$`)],
    ['POST', `api/sessions/${id}/inputs`, message, 'session.unknown', new RegExp(id)],
    ['POST', `api/sessions/${id}/interrupt`, undefined, 'session.unknown', new RegExp(id)],
    ['DELETE', `api/sessions/${id}`, undefined, 'session.unknown', new RegExp(id)],
    ['DELETE', `api/sessions/${session}/inputs/${id}`, undefined, 'input.gone', /not waiting any more/],
    ['PATCH', `api/sessions/${session}/inputs/${id}`, { text: 'x' }, 'input.gone', /not waiting/],
    ['POST', `api/sessions/${session}/asks/${id}`, { choice: 'once' }, 'ask.unknown', /./],
    ['GET', `api/sessions/${session}/items/${id}/output`, undefined, 'item.no-output', new RegExp(id)],
    ['GET', `api/sessions/${session}/items?before=${id}`, undefined, 'item.unknown', new RegExp(id)],
    ['GET', 'api/nothing', undefined, 'request.unknownPath', /GET \/api\/nothing/],
  ];
  for (const [method, path, body, code, says] of cases) {
    const got = await refusal(method, path, body);
    expect({ path, ...got }).toMatchObject({ path, status: 404, code });
    expect(got.message).toMatch(says);
  }
  await expectUntouched();
});

test('inputs that are none are refused by place', async () => {
  const inputs = `api/sessions/${session}/inputs`;
  const cases: [unknown, RegExp][] = [
    [{ id: randomUUID(), text: '' }, /^body: text: the text is empty$/],
    [{ id: randomUUID(), text: ' \n\t ' }, /^body: text: the text is empty$/],
    [{ id: randomUUID() }, /^body: text: /],
    [{ text: 'hello' }, /^body: id: /],
    [{ id: 'mine', text: 'hello' }, /^body: id: /],
    [{ id: randomUUID(), text: 7 }, /^body: text: /],
    [{ id: randomUUID(), text: 'hello', mode: 'shout' }, /^body: mode: /],
    [[], /^body: /],
  ];
  for (const [body, says] of cases) {
    const got = await refusal('POST', inputs, body);
    expect(got).toMatchObject({ status: 400, code: 'request.invalid' });
    expect(got.message).toMatch(says);
  }
  await expectUntouched();
});

test('bodies that are no JSON, no UTF-8, or nothing', async () => {
  const inputs = `api/sessions/${session}/inputs`;
  const latin1 = Buffer.from(`{"id":"${randomUUID()}","text":"caf\xe9"}`, 'latin1');
  const refused = async (
    body: Uint8Array<ArrayBuffer> | string,
    status: number,
    says: RegExp,
    type?: string,
  ) => {
    const got = await post(inputs, body, type);
    expect(got.status).toBe(status);
    expect(JSON.parse(got.body).error.message).toMatch(says);
  };
  await refused(latin1, 400, /^The body is not valid UTF-8\.$/);
  await refused('{"id":', 400, /^The body is not JSON: /);
  await refused('', 400, /body/);
  await refused('id=1&text=hello', 415, /./, 'application/x-www-form-urlencoded');
  await refused(`{"id":"${randomUUID()}","text":"hello"}`, 415, /./, 'text/plain');
  await expectUntouched();
});

test('a text holds 1 MiB of UTF-8 and not a byte more', async () => {
  const inputs = `api/sessions/${session}/inputs`;
  const text = 'é'.repeat(512 * 1024);
  const got = await refusal('POST', inputs, { id: randomUUID(), text: `${text}x` });
  expect(got).toMatchObject({ status: 413, code: 'input.tooLarge' });
  expect(got.message).toMatch(/1048577 bytes long; 1048576 is the limit\. Put it into a file/);
  const huge = await post(inputs, `{"id":"${randomUUID()}","text":"${'x'.repeat(8 * 1024 * 1024)}"}`);
  expect(huge.status).toBe(413);
  await server.send(session, text);
  expect(said(await server.idle(session))).toEqual([text]);
  expect(JSON.stringify(model.requests.at(-1)?.input)).toContain(text);
});

test('frames that are none are answered; one that is huge ends its own connection alone', async () => {
  const [client, other] = [await SocketClient.connect(server), await SocketClient.connect(server)];
  for (const frame of ['{', '"ping"', '{"type":"shout"}', '{"type":"subscribe"}', Buffer.from([0xff, 0])]) {
    client.sendRaw(frame);
    const answer = await client.next();
    expect(answer).toMatchObject({ type: 'error', code: 'socket.frame' });
    expect(answer).toMatchObject({
      message: expect.stringContaining('subscribe, unsubscribe, overview, looking or ping'),
    });
  }
  client.send({ type: 'subscribe', session: 'none' });
  expect(await client.next()).toMatchObject({ type: 'error', code: 'session.unknown', ref: 'none' });
  client.send({ type: 'subscribe', session });
  expect(await client.next()).toMatchObject({ type: 'subscribed', session });
  other.sendRaw(`{"type":"ping","pad":"${'x'.repeat(1024 * 1024)}"}`);
  expect(await other.closed).toBe(1009);
  expect(await client.next()).toMatchObject({ type: 'snapshot' });
  client.send({ type: 'ping' });
  expect(await client.next()).toEqual({ type: 'pong' });
  client.close();
  await expectUntouched();
});

const rawCall = (name: string, args: unknown): Step => ({
  item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: args },
});

/** Lets the model call a tool; returns what it was told, and the items of the turn. */
async function afterCall(step: Step) {
  model.answer([step], [{ text: 'I see.' }]);
  await server.send(session, 'do it');
  const state = await server.until(session, (s) => answered(s).at(-1) === 'I see.' && s.status === 'idle');
  const items = state.items.filter(({ type }) => type !== 'userMessage' && type !== 'agentMessage');
  return { output: lastOutput(model.requests.at(-1)), items };
}

test('tools that do not exist and arguments that do not fit are told to the model', async () => {
  const unknown = await afterCall(rawCall('frobnicate', '{}'));
  expect(unknown.output).toBe('There is no tool named frobnicate.');
  expect(unknown.items).toMatchObject([{ type: 'toolCall', name: 'frobnicate', status: 'failed' }]);

  session = await server.newSession();
  const cut = await afterCall(rawCall('exec_command', '{"cmd": "echo no'));
  expect(cut.output).toMatch(/^exec_command: the arguments are not valid JSON \(.*\); nothing was run$/);
  const odd = await afterCall(rawCall('exec_command', '{"command": "echo no"}'));
  expect(odd.output).toMatch(/^exec_command: .*cmd/s);
});

test('a command that does not exist', async () => {
  const { output, items } = await afterCall({ call: 'exec_command', args: { cmd: 'no-such-program --now' } });
  expect(output).toMatch(/exited with code 127[\s\S]*no-such-program: command not found/);
  expect(items).toMatchObject([{ type: 'commandExecution', status: 'failed', exitCode: 127 }]);
  const shell = await afterCall({ call: 'exec_command', args: { cmd: 'true', shell: '/no/shell' } });
  expect(shell.output).toMatch(/^exec_command: .*"bash"\|"sh"\|"zsh"/s);
  const place = await afterCall({ call: 'exec_command', args: { cmd: 'true', workdir: 'no/such' } });
  expect(place.output).toContain(`${box.workDir}/no/such does not exist; nothing was run`);
});

test('O-A8: a patch of which one file does not fit changes none', async () => {
  await writeFile(join(box.workDir, 'a.txt'), 'one\n');
  await writeFile(join(box.workDir, 'b.txt'), 'two\n');
  const input =
    '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n*** Update File: b.txt\n@@\n-missing\n+X\n*** Add File: c.txt\n+c\n*** End Patch';
  const { output, items } = await afterCall({ custom: 'apply_patch', input });
  expect(output).toMatch(/b\.txt[\s\S]*missing/);
  expect(await readFile(join(box.workDir, 'a.txt'), 'utf8')).toBe('one\n');
  expect(await readFile(join(box.workDir, 'b.txt'), 'utf8')).toBe('two\n');
  expect(await readdir(box.workDir)).not.toContain('c.txt');
  const [change] = items as FileChange[];
  expect(change).toMatchObject({ type: 'fileChange', status: 'failed' });
  expect(change?.error).toMatch(/b\.txt/);
  const nothing = await afterCall({ custom: 'apply_patch', input: 'please change a.txt' });
  expect(nothing.output).toMatch(/^apply_patch: .*nothing was run$/);
});

test('O-A6: a patch through the shell is a patch', async () => {
  await mkdir(join(box.workDir, 'sub'));
  const patch = (file: string, text: string) =>
    `*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch`;
  const commands = [
    `apply_patch <<'PATCH-1'\n${patch('x1.txt', 'ok')}\nPATCH-1\n`,
    `apply_patch <<"EOF"\n${patch('x2.txt', 'cost is $HOME')}\nEOF`,
    `applypatch <<EOF\n${patch('x3.txt', 'ok')}\nEOF`,
    `cd sub && apply_patch <<'END'\n${patch('x4.txt', 'ok')}\nEND\n`,
  ];
  for (const cmd of commands) {
    const { output, items } = await afterCall({ call: 'exec_command', args: { cmd } });
    expect(output).toMatch(/Success\. Updated the following files:/);
    expect(items.at(-1)).toMatchObject({ type: 'fileChange', status: 'completed' });
  }
  const files = ['x1.txt', 'x2.txt', 'x3.txt', 'sub/x4.txt'];
  const contents = await Promise.all(files.map((file) => readFile(join(box.workDir, file), 'utf8')));
  expect(contents).toEqual(['ok\n', 'cost is $HOME\n', 'ok\n', 'ok\n']);
});

test('O-B5: arguments that are empty, null or an object', async () => {
  for (const args of ['', '  ', null, '{}', {}, 'null', undefined]) {
    session = await server.newSession();
    const { items } = await afterCall(rawCall('write_stdin', args));
    // it has a required parameter, so it gets as far as saying so: not "no JSON"
    expect((items as ToolCall[])[0]).toMatchObject({
      type: 'toolCall',
      name: 'write_stdin',
      arguments: '{}',
    });
    expect(model.requests.at(-1)?.input).toContainEqual(
      expect.objectContaining({ type: 'function_call', arguments: '{}' }),
    );
  }
  session = await server.newSession();
  const whole = await afterCall(rawCall('exec_command', { cmd: 'echo as-an-object' }));
  expect(whole.output).toContain('as-an-object');
  expect(model.requests.at(-1)?.input).toContainEqual(
    expect.objectContaining({ type: 'function_call', arguments: '{"cmd":"echo as-an-object"}' }),
  );
});
