/** `tscodex app-server`: the built program over pipes, and as the Codex of a session in the page. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { answered, said } from '../support/conversation.ts';
import { Gate } from '../support/gate.ts';
import { Box, type RunningServer, serverBin } from '../support/server.ts';
import { test as base } from '../support/stage.ts';

const program = join(dirname(serverBin), 'tscodex.js');

const test = base.extend<{ box: Box }>({
  box: async ({ model }, use) => {
    const workspaces = [{ id: 'demo', work_dir: 'work', board: 'work/board.html' }];
    const box = await Box.make({ modelUrl: model.url, toml: FULL_ACCESS, workspaces });
    await use(box);
    await box.remove();
  },
});

type Fields = Record<string, unknown>;

/** A client that asks one thing at a time. */
class Pipes {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly told: Fields[] = [];
  #reply: ((reply: Fields) => void) | null = null;
  #count = 0;

  constructor(box: Box) {
    const env = { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome };
    const stdio = ['pipe', 'pipe', 'pipe'] as const;
    this.child = spawn(process.execPath, [program, 'app-server', '--stdio'], {
      cwd: box.workDir,
      env,
      stdio: [...stdio],
    });
    this.child.stderr.resume();
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Fields;
      if (message.method === undefined) this.#reply?.(message);
      else this.told.push(message);
    });
  }

  async call(method: string, params: object): Promise<Fields> {
    const replied = new Promise<Fields>((resolve) => {
      this.#reply = resolve;
    });
    this.child.stdin.write(`${JSON.stringify({ id: this.#count++, method, params })}\n`);
    const { result, error } = await replied;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Fields;
  }

  async begin(): Promise<string> {
    await this.call('initialize', { clientInfo: { name: 'e2e', title: null, version: '0' } });
    const { thread } = await this.call('thread/start', {});
    return (thread as { id: string }).id;
  }

  say(threadId: string, text: string) {
    return this.call('turn/start', { threadId, input: [{ type: 'text', text }] });
  }

  methods(): unknown[] {
    return this.told.map(({ method }) => method);
  }
}

for (const end of ['SIGTERM', 'the end of stdin'])
  test(`a turn that runs is stopped by ${end}, with what it runs, and the exit code is 0`, async ({
    box,
    model,
  }) => {
    model.answer([
      { text: 'I wait.' },
      { call: 'exec_command', args: { cmd: 'echo $$ > pid; exec sleep 600' } },
    ]);
    const client = new Pipes(box);
    const threadId = await client.begin();
    await client.say(threadId, 'wait');
    const pid = () => readFile(join(box.workDir, 'pid'), 'utf8').catch(() => '');
    await expect.poll(pid).toMatch(/\d+\n/);
    const ended = once(client.child, 'close');
    if (end === 'SIGTERM') client.child.kill('SIGTERM');
    else client.child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(client.methods()).toContain('turn/completed');
    const running = Number(await pid());
    expect(() => process.kill(running, 0)).toThrow('ESRCH');

    model.answer([{ text: 'Here again.' }]);
    const next = new Pipes(box);
    await next.call('initialize', { clientInfo: { name: 'e2e', title: null, version: '0' } });
    const { thread } = await next.call('thread/resume', { threadId });
    expect((thread as { turns: Fields[] }).turns).toMatchObject([{ status: 'interrupted' }]);
    await next.say(threadId, 'go on');
    await expect.poll(() => next.methods()).toContain('turn/completed');
    next.child.kill('SIGTERM');
    await once(next.child, 'close');
  });

const servers: RunningServer[] = [];
// politely, so that what they have started has ended before its directories go
test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill('SIGTERM');
});

test('a session of the page works on it in place of Codex: asked, steered, stopped, and after a restart', async ({
  box,
  model,
}) => {
  const script = join(box.dir, 'codex.sh');
  await writeFile(script, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(script, 0o755);
  const path = join(box.codexHome, 'config.toml');
  const config = await readFile(path, 'utf8');
  await writeFile(path, config.replace('[tscodex]\n', `[tscodex]\ncodex_bin = ${JSON.stringify(script)}\n`));
  const start = async () => {
    const server = await box.start();
    servers.push(server);
    return server;
  };
  const server = await start();
  const id = await server.newSession('demo', { backend: 'codex' });
  await server.api('PATCH', `api/sessions/${id}`, { approval: 'untrusted' });
  const says = (text: string) => (state: SessionState) =>
    state.items.some((item) => item.type === 'agentMessage' && item.text === text);

  const gate = new Gate();
  model.answer(
    [{ text: 'First a command.' }, { call: 'exec_command', args: { cmd: 'touch one' } }],
    [{ text: 'It is' }, { wait: gate.opened }, { text: ' made.' }],
    [{ text: 'And steered.' }],
  );
  await server.send(id, 'make one');
  const [ask] = (await server.until(id, ({ asks }) => asks.length === 1)).asks;
  expect(ask).toMatchObject({ approval: { what: 'command', command: 'touch one', cwd: box.workDir } });
  await server.api('POST', `api/sessions/${id}/asks/${ask?.id}`, { choice: 'once' });
  await server.until(id, says('It is'));
  await server.send(id, 'a steer');
  gate.open();
  await server.until(id, (state) => answered(state).includes('And steered.'));
  const done = await server.idle(id);
  expect(said(done)).toEqual(['make one', 'a steer']);
  expect(answered(done)).toEqual(['First a command.', 'It is made.', 'And steered.']);
  expect(done.items.find(({ type }) => type === 'commandExecution')).toMatchObject({
    ...{ command: 'touch one', exitCode: 0, decision: { choice: 'once' } },
  });

  const held = new Gate();
  model.answer([{ text: 'On and on' }, { wait: held.opened }]);
  await server.send(id, 'talk');
  await server.until(id, says('On and on'));
  await server.api('POST', `api/sessions/${id}/interrupt`);
  expect((await server.idle(id)).status).toBe('idle');
  held.open();

  expect(await server.kill('SIGTERM')).toBe(0);
  const again = await start();
  expect(said(await again.state(id))).toEqual(['make one', 'a steer', 'talk']);
  model.answer([{ text: 'Still here.' }]);
  await again.send(id, 'after the restart');
  await again.until(id, (state) => answered(state).includes('Still here.'));
});
