/** `tscodex exec`: one turn without a server, told as `codex exec` tells it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { endOf, runExec, startExec } from '../support/exec-command.ts';
import type { ModelRequest } from '../support/fake-model.ts';
import { follow, never, spawn } from '../support/scripts.ts';
import { Box } from '../support/server.ts';
import { test as base } from '../support/stage.ts';

const test = base.extend<{ box: Box }>({
  box: async ({ model }, use) => {
    const box = await Box.make({ modelUrl: model.url, toml: FULL_ACCESS });
    await use(box);
    await box.remove();
  },
});

/** What a person has asked, of all that a request holds. */
const asked = ({ input }: ModelRequest) =>
  input.flatMap(({ role, content }) =>
    role === 'user'
      ? (content as { text: string }[]).map(({ text }) => text).filter((text) => !text.startsWith('<'))
      : [],
  );

type Line = { type: string; thread_id?: string; item?: Record<string, unknown>; usage?: object };
const lines = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('a turn is told line by line, its session goes on with resume, and Codex knows the form', async ({
  box,
  model,
}) => {
  model.answer(
    [
      { reasoning: 'To see.' },
      { call: 'exec_command', args: { cmd: 'echo one' } },
      { call: 'update_plan', args: { plan: [{ step: 'Look', status: 'completed' }] } },
      { usage: { input: 1000, cached: 400, output: 50 } },
    ],
    [{ text: 'It said one.' }, { usage: { input: 1100, cached: 900, output: 20 } }],
  );
  const first = await runExec(box, ['--json', 'say one']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const told = lines(first.stdout);
  const thread = told[0]?.thread_id ?? '';
  expect(
    told.filter(({ item }) => item?.type !== 'reasoning').map(({ type, item }) => [type, item?.type]),
  ).toEqual([
    ['thread.started', undefined],
    ['turn.started', undefined],
    ['item.started', 'command_execution'],
    ['item.completed', 'command_execution'],
    ['item.started', 'todo_list'],
    ['item.completed', 'agent_message'],
    ['item.completed', 'todo_list'],
    ['turn.completed', undefined],
  ]);
  expect(
    told.find(({ type, item }) => type === 'item.completed' && item?.type === 'command_execution')?.item,
  ).toMatchObject({
    ...{ command: 'echo one', aggregated_output: 'one\n', exit_code: 0, status: 'completed' },
  });
  expect(told.at(-1)?.usage).toMatchObject({
    input_tokens: 2100,
    cached_input_tokens: 1300,
    output_tokens: 70,
  });
  expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('request_user_input');

  model.answer([{ text: 'Two.' }, { usage: { input: 1200, output: 10 } }]);
  const out = join(box.workDir, 'last.txt');
  const second = await runExec(box, ['resume', thread, 'and two', '-o', out]);
  expect(second).toMatchObject({ code: 0, stdout: 'Two.\n' });
  expect(await readFile(out, 'utf8')).toBe('Two.');
  expect(model.requests.slice(-1).flatMap(asked)).toEqual(['say one', 'and two']);
});

test('what fails is told, and ends with 1', async ({ box, model }) => {
  model.answer({ status: 400, body: '{"error":{"message":"no such thing"}}' });
  const { code, stdout } = await runExec(box, ['--json', 'hi']);
  expect(code).toBe(1);
  expect(lines(stdout).slice(-2)).toMatchObject([
    { type: 'error', message: expect.stringContaining('no such thing') },
    { type: 'turn.failed', error: { message: expect.stringContaining('no such thing') } },
  ]);

  const unknown = await runExec(box, ['resume', '01a22a5e-995b-7061-bad7-207f9c432a9a', 'hi']);
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/^tscodex: there is no session 01a22a5e-\S+ in \S+\/sessions\n$/);
  expect(await runExec(box, ['--jsn', 'hi'])).toMatchObject({
    ...{ code: 2, stderr: 'tscodex: --jsn is unknown; did you mean --json?\n' },
  });
});

test('a schema goes to the model, stdin below the prompt, and a silent pipe holds nothing up', async ({
  box,
  model,
}) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  await mkdir(box.workDir, { recursive: true });
  const file = join(box.workDir, 'schema.json');
  await writeFile(file, JSON.stringify(schema));
  model.answer([{ text: '{"a":"b"}' }], [{ text: 'Read.' }]);
  const { code } = await runExec(box, ['--output-schema', file, 'answer'], 'from stdin');
  expect(code).toBe(0);
  expect(model.requests[0]?.text).toMatchObject({ format: { type: 'json_schema', strict: true, schema } });
  expect(model.requests.slice(0, 1).flatMap(asked)).toEqual(['answer\n\n<stdin>\nfrom stdin\n</stdin>']);

  const silent = await endOf(startExec(box, ['go on']));
  expect(silent).toMatchObject({ code: 0, stdout: 'Read.\n' });
  expect(silent.stderr).toContain('stdin is open and silent');
});

for (const [signal, code, by] of [
  ['SIGINT', 1, null],
  ['SIGTERM', null, 'SIGTERM'],
] as const)
  test(`${signal} ends the turn and what it runs, as it ends codex exec`, async ({ box, model }) => {
    model.answer([{ call: 'exec_command', args: { cmd: 'echo $$ > pid; exec sleep 600' } }]);
    const child = startExec(box, ['--json', 'wait']);
    child.stdin.end();
    const end = endOf(child);
    const pid = () => readFile(join(box.workDir, 'pid'), 'utf8').catch(() => '');
    await expect.poll(pid).toMatch(/^\d+\n$/);
    child.kill(signal);
    const ended = await end;
    expect([ended.code, child.signalCode]).toEqual([code, by]);
    // no turn.failed: programs would take it for a failure of the turn
    expect(lines(ended.stdout).map(({ type }) => type)).toEqual([
      ...['thread.started', 'turn.started', 'item.started'],
    ]);
    const worker = Number(await pid());
    expect(() => process.kill(worker, 0)).toThrow('ESRCH');
  });

test('its agent starts others, waits for one, and none is left at work', async ({ box, model }) => {
  const pid = join(box.workDir, 'pid');
  const work = { call: 'exec_command', args: { cmd: `echo $$ > ${pid}; exec sleep 600` } };
  follow(model, {
    go: [
      [spawn('dig'), spawn('work on')],
      ({ input }) => {
        const [dig] = input.flatMap(({ output }) => /"agent_id":"([^"]+)/.exec(String(output))?.[1] ?? []);
        return [{ call: 'wait_agent', args: { ids: [dig], timeout_ms: 60_000 } }];
      },
      [{ text: 'It is dug.' }],
    ],
    dig: [
      // the other one is at work by then
      [
        { wait: expect.poll(() => readFile(pid, 'utf8').catch(() => ''), { timeout: 60_000 }).not.toBe('') },
        { text: 'Dug.' },
      ],
    ],
    'work on': [[work], [never]],
  });
  const { code, stdout, stderr } = await runExec(box, ['--json', 'go']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const calls = lines(stdout).filter(({ item }) => item?.type === 'collab_tool_call');
  const ends = calls.filter(({ type }) => type === 'item.completed').map(({ item }) => item ?? {});
  expect(ends.map(({ tool, prompt, status }) => [tool, prompt, status])).toEqual([
    ['spawn_agent', 'dig', 'completed'],
    ['spawn_agent', 'work on', 'completed'],
    ['wait', null, 'completed'],
  ]);
  const dig = String(ends[0]?.receiver_thread_ids);
  expect(ends[2]?.agents_states).toEqual({ [dig]: { status: 'completed', message: 'Dug.' } });
  expect(lines(stdout).at(-2)?.item).toMatchObject({ type: 'agent_message', text: 'It is dug.' });
  // it knew that it has to wait, and that nobody tells it later
  const [asked] = model.requests;
  expect(JSON.stringify(asked?.input)).toContain('Wait for what you need of them');
  const left = Number(await readFile(pid, 'utf8'));
  expect(() => process.kill(left, 0)).toThrow('ESRCH');
  // each goes on by its id
  model.reset();
  model.answer([{ text: 'And deeper.' }]);
  expect(await runExec(box, ['resume', dig, 'deeper'])).toMatchObject({
    code: 0,
    stdout: 'And deeper.\n',
  });
});

test('an agent that ends just before the run does starts no further turn', async ({ box, model }) => {
  const ended = async () => {
    const home = join(box.codexHome, 'sessions');
    const names = await readdir(home, { recursive: true });
    const texts = names
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFile(join(home, name), 'utf8'));
    return (await Promise.all(texts)).some((text) => text.includes('task_complete'));
  };
  follow(model, {
    go: [
      [spawn('dig')],
      // the step is begun with the request, when nothing has ended yet
      () => [{ wait: expect.poll(ended, { timeout: 60_000 }).toBe(true) }, { text: 'It digs.' }],
    ],
    dig: [[{ text: 'Dug.' }]],
  });
  const { code, stdout } = await runExec(box, ['--json', 'go']);
  expect(code).toBe(0);
  const types = lines(stdout).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('turn.'))).toEqual(['turn.started', 'turn.completed']);
  expect(types.at(-1)).toBe('turn.completed');
  expect(model.requests).toHaveLength(3);
});
