/** The official SDK of Codex, which runs `codex exec` for programs, runs `tscodex exec` in its place. */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { Gate } from '../support/gate.ts';
import { type Box, serverBin } from '../support/server.ts';
import { test, told } from './stage.ts';

/** What of the SDK is used here. */
type Thread = {
  id: string | null;
  run(input: Input, options?: { outputSchema?: object; signal?: AbortSignal }): Promise<Ended>;
  runStreamed(input: string): Promise<{ events: AsyncIterable<{ type: string }> }>;
};
type Input = string | ({ type: 'text'; text: string } | { type: 'local_image'; path: string })[];
type Ended = { items: { type: string }[]; finalResponse: string; usage: Record<string, number> | null };
type Sdk = {
  Codex: new (options: {
    codexPathOverride: string;
    env: Record<string, string>;
  }) => {
    startThread(options: object): Thread;
    resumeThread(id: string, options: object): Thread;
  };
};

/** A PNG of one pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function sdkOn(box: Box) {
  const module = process.env.CODEX_SDK;
  if (!module) throw new Error('CODEX_SDK names no module: npm run test:interop gets one');
  const { Codex }: Sdk = await import(module);
  const program = join(box.dir, 'codex-of-ours');
  const ours = join(dirname(serverBin), 'tscodex.js');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${ours}' "$@"\n`, { mode: 0o755 });
  const env = { PATH: process.env.PATH ?? '', HOME: box.dir, CODEX_HOME: box.codexHome };
  return new Codex({ codexPathOverride: program, env });
}

test('the SDK runs a turn, reads its events and goes on with the thread', async ({ box, model }) => {
  const codex = await sdkOn(box);
  const place = { workingDirectory: box.workDir, skipGitRepoCheck: true, sandboxMode: 'danger-full-access' };
  model.answer([{ call: 'exec_command', args: { cmd: 'echo one' } }], [{ text: 'It said one.' }]);
  const thread = codex.startThread(place);
  const turn = await thread.run('say one');
  expect(turn.finalResponse).toBe('It said one.');
  expect(turn.items).toMatchObject([
    { type: 'command_execution', aggregated_output: 'one\n', exit_code: 0, status: 'completed' },
    { type: 'agent_message', text: 'It said one.' },
  ]);
  expect(turn.usage?.input_tokens).toBeGreaterThan(0);
  expect(thread.id).toMatch(/^[0-9a-f-]{36}$/);

  model.answer([{ text: '{"said":"one"}' }]);
  const again = codex.resumeThread(thread.id ?? '', place);
  const schema = { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] };
  const answer = await again.run('as an object', { outputSchema: schema });
  expect(JSON.parse(answer.finalResponse)).toEqual({ said: 'one' });
  expect(again.id).toBe(thread.id);
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: say one', 'call of exec_command', 'output of exec_command: one'],
    ...['assistant: It said one.', 'user: as an object'],
  ]);
});

test('a turn that fails is an error for the SDK', async ({ box, model }) => {
  const codex = await sdkOn(box);
  model.answer({ status: 401, body: '{"error":{"message":"no such key"}}' });
  const thread = codex.startThread({ workingDirectory: box.workDir, skipGitRepoCheck: true });
  await expect(thread.run('hello')).rejects.toThrow(/401/);
});

test('a turn that the program aborts is an AbortError for the SDK, and the thread goes on', async ({
  box,
  model,
}) => {
  const codex = await sdkOn(box);
  const gate = new Gate();
  model.answer([{ wait: gate.opened }, { text: 'Never.' }]);
  const place = { workingDirectory: box.workDir, skipGitRepoCheck: true };
  const thread = codex.startThread(place);
  const abort = new AbortController();
  const run = thread.run('wait', { signal: abort.signal });
  const failure = expect(run).rejects.toMatchObject({ name: 'AbortError' });
  await model.asked(1);
  abort.abort();
  await failure;
  gate.open();

  model.answer([{ text: 'Here I am.' }]);
  const again = await codex.resumeThread(thread.id ?? '', place).run('and now?');
  expect(again.finalResponse).toBe('Here I am.');
});

test('images of the SDK go to the model, also into a thread that goes on', async ({ box, model }) => {
  const codex = await sdkOn(box);
  const place = { workingDirectory: box.workDir, skipGitRepoCheck: true };
  const path = join(box.dir, 'dot.png');
  await writeFile(path, Buffer.from(DOT, 'base64'));
  const input: Input = [
    { type: 'text', text: 'what is it?' },
    { type: 'local_image', path },
  ];
  model.answer([{ text: 'A dot.' }], [{ text: 'The same dot.' }]);
  const thread = codex.startThread(place);
  expect((await thread.run(input)).finalResponse).toBe('A dot.');
  expect(JSON.stringify(model.requests.at(-1)?.input).split(DOT)).toHaveLength(2);
  const again = codex.resumeThread(thread.id ?? '', place);
  expect((await again.run(input)).finalResponse).toBe('The same dot.');
  expect(JSON.stringify(model.requests.at(-1)?.input).split(DOT)).toHaveLength(3);
});
