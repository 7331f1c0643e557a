/** The real Codex CLI goes on with a session made here, and leaves our records in the file. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { answered, said } from '../support/conversation.ts';

import { type Scene, test } from '../support/stage.ts';

const VERSION = '0.171.0';

test('Codex resumes a session made here, and we resume what Codex has added', async ({ model, open }) => {
  test.setTimeout(600_000);
  const codex = await findCodex();
  if (typeof codex !== 'string') console.log(`no Codex CLI to try: ${codex.missing}`);
  test.skip(typeof codex !== 'string', 'no Codex CLI on this machine and none to be had');
  const scene = await open({ toml: FULL_ACCESS });
  const { server, session } = scene;

  const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch';
  model.answer(
    [
      { reasoning: 'Thinking.' },
      { text: 'First a command.' },
      { call: 'exec_command', args: { cmd: 'echo from-a-command' } },
    ],
    [{ custom: 'apply_patch', input: patch }],
    [{ text: 'Both done.' }],
    [{ text: 'This is cut' }, { wait: new Promise(() => undefined) }],
  );
  await server.send(session, 'our first message');
  await server.until(session, (state) => answered(state).includes('Both done.'));
  await server.idle(session);
  await server.send(session, 'our second message');
  await server.until(session, (state) =>
    state.items.some((i) => i.type === 'agentMessage' && i.text === 'This is cut'),
  );
  await server.api('POST', `api/sessions/${session}/interrupt`);
  const ours = await server.idle(session);
  expect(await server.kill('SIGTERM')).toBe(0);

  const path = await rolloutOf(scene);
  const before = await readFile(path, 'utf8');
  const records = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
  const own = (text: string) => records(text).filter(({ type }) => type === 'tscodex_item');
  expect(own(before).length).toBeGreaterThan(4);

  const asked = model.requests.length;
  model.answer([{ text: 'Codex was here.' }]);
  const events = await resume(codex as string, scene, 'a message through Codex');
  expect(events[0]).toEqual({ type: 'thread.started', thread_id: session });
  // it counts on from what was used here: three answers, each of 1,000 tokens in
  expect(ours.usage?.total.inputTokens).toBe(3000);
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed', usage: { input_tokens: 4000 } });

  const request = JSON.stringify(model.requests[asked]?.input);
  for (const text of [
    'our first message',
    'First a command.',
    'from-a-command',
    'hello.txt',
    'Both done.',
    'our second message',
    'a message through Codex',
  ])
    expect(request).toContain(text);
  expect(request).not.toContain('tscodex_item');
  expect(request).not.toContain('commandExecution');

  const after = await readFile(path, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(own(after)).toEqual(own(before));

  await scene.restart();
  const again = await scene.server.state(session);
  expect(again.items.slice(0, ours.items.length)).toEqual(ours.items);
  expect(again.usage?.total.inputTokens).toBe(4000);
  expect(said(again)).toEqual(['our first message', 'our second message', 'a message through Codex']);
  expect(answered(again).at(-1)).toBe('Codex was here.');

  model.answer([{ text: 'And back.' }]);
  await scene.server.send(session, 'a message here again');
  const end = await scene.server.until(session, (state) => answered(state).includes('And back.'));
  expect(said(end)).toHaveLength(4);
  expect(JSON.stringify(model.requests.at(-1)?.input)).toContain('Codex was here.');
});

test('Codex goes on with the summary of a session that was summed up here', async ({ model, open }) => {
  test.setTimeout(600_000);
  const codex = await findCodex();
  test.skip(typeof codex !== 'string', 'no Codex CLI on this machine and none to be had');
  const scene = await open({ toml: FULL_ACCESS });
  const { server, session } = scene;
  const long = 'There is much to say of it. '.repeat(400);
  model.answer([{ text: long }], [{ text: 'All of it in short.' }]);
  await server.send(session, 'our first message');
  await server.idle(session);
  await server.send(session, '/compact');
  await server.until(session, (state) =>
    state.items.some((item) => item.type === 'compaction' && item.status === 'completed'),
  );
  expect(await server.kill('SIGTERM')).toBe(0);

  model.answer([{ text: 'Codex was here.' }]);
  const events = await resume(codex as string, scene, 'a message through Codex');
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed' });
  const request = JSON.stringify(model.requests.at(-1)?.input);
  for (const text of ['our first message', 'All of it in short.', 'a message through Codex'])
    expect(request).toContain(text);
  expect(request).not.toContain(long.trim());

  await scene.restart();
  const again = await scene.server.state(session);
  expect(again.items.filter((item) => item.type === 'compaction')).toHaveLength(1);
  expect(answered(again)).toEqual([long, 'Codex was here.']);
});

/** The events of `codex exec resume`, with the session's own CODEX_HOME. */
async function resume(
  codex: string,
  { box, session }: Scene,
  prompt: string,
): Promise<Record<string, unknown>[]> {
  const args = ['exec', 'resume', session, prompt, '--json', '--skip-git-repo-check'];
  const env = { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome };
  const running = promisify(execFile)(codex, args, { cwd: box.workDir, env });
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function rolloutOf({ box, session }: Scene): Promise<string> {
  const dir = join(box.codexHome, 'sessions');
  const files = await readdir(dir, { recursive: true });
  const found = files.filter((name) => name.endsWith(`${session}.jsonl`));
  expect(found).toHaveLength(1);
  return join(dir, found[0] ?? '');
}

/** `CODEX_BIN`, else the pinned version on PATH or from an earlier run, else npm's. */
async function findCodex(): Promise<string | { missing: string }> {
  const named = process.env.CODEX_BIN;
  if (named) return named;
  if (versionOf('codex') === VERSION) return 'codex';
  const cache = fileURLToPath(new URL('../node_modules/.cache/codex', import.meta.url));
  const bin = join(cache, 'node_modules', '.bin', 'codex');
  if (existsSync(bin) && versionOf(bin) === VERSION) return bin;
  await mkdir(cache, { recursive: true });
  try {
    const install = ['install', '--no-save', '--prefix', cache, `@openai/codex@${VERSION}`];
    await promisify(execFile)('npm', install, { timeout: 300_000 });
  } catch (error) {
    return { missing: `npm could not install @openai/codex@${VERSION}: ${String(error).slice(0, 500)}` };
  }
  return versionOf(bin) === VERSION ? bin : { missing: `${bin} does not run` };
}

function versionOf(bin: string): string | null {
  try {
    return /\d+\.\d+\.\d+/.exec(execFileSync(bin, ['--version'], { encoding: 'utf8' }))?.[0] ?? null;
  } catch {
    return null; // not there, or not for this machine
  }
}
