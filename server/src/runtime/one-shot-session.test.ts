import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import type { Config, OneShotSettings } from '../base/config/config.ts';
import type { ModelClient } from '../model/client.ts';
import { rolloutPath } from '../session/rollout.ts';
import { oneShotEnvironment, threadSettings } from './one-shot-session.ts';
import type { SessionPermissions } from './session-permissions.ts';
import { findSession, insertSession, UNTOUCHED } from './session-rows.ts';
import { ONE_SHOT } from './sub-agents/family.ts';
import { standOf } from './sub-agents/standing.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
afterEach(() => box.remove());

const ONCE: OneShotSettings = {
  ...{ hasTool: true, mode: 'never', timeoutMs: 60_000, graceMs: 2000 },
  variables: () => ({}),
};
const MODEL = {} as ModelClient;

/** A session whose agent has started a Codex; `onTurn` is what that does. Returns the id of the Codex's session. */
async function agent(onTurn: string, oneShot: Partial<OneShotSettings> = {}): Promise<string> {
  box = await openTestBox();
  const path = join(box.dir, 'codex-program');
  await writeFile(
    path,
    `#!${process.execPath}
const { writeFileSync } = require('node:fs');
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tell = (method, params) => say({ method, params: { threadId: 't', turnId: 'u', ...params } });
const message = (text, phase) => tell('item/completed', { item: { type: 'agentMessage', id: text, text, phase } });
const end = (status) => tell('turn/completed', { turn: { id: 'u', status } });
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent: 'tscodex/0.171.0' } });
  if (method === 'thread/start') {
    writeFileSync(${JSON.stringify(join(box.dir, 'thread.json'))}, JSON.stringify({ cwd: process.cwd(), params }));
    say({ id, result: { thread: { id: 't' } } });
  }
  if (method === 'turn/start') { say({ id, result: { turn: { id: 'u' } } }); ${onTurn} }
});
`,
  );
  await chmod(path, 0o755);
  const config = box.config as { codex: Config['codex'] };
  config.codex = { ...config.codex, bin: path, oneShot: { ...ONCE, ...oneShot } };
  const parentId = await box.create();
  const id = uuid();
  const at = new Date().toISOString();
  await insertSession(box.db, {
    ...UNTOUCHED,
    ...{ id, parentId, nickname: 'Ada (Codex)', title: 'Ada (Codex)', workspaceId: 'w', cwd: box.workDir },
    ...{ backend: ONE_SHOT, model: null, effort: null, profile: null },
    ...{ rolloutPath: rolloutPath(box.config.codexHome, id), createdAt: at, lastActivityAt: at },
  });
  return id;
}

const ANSWERS = "message('Looking.', 'commentary'); message('It is 42.', 'final_answer'); end('completed');";

test('its task, what it says and its answer are there, and still after a restart; more it does not take', async () => {
  const id = await agent(ANSWERS);
  const session = await box.load(id, MODEL);
  const task = message('What is it?', 'queue');
  await session.submit(task, null);
  const done = await new Watcher(session).until(({ turn, items }) => turn === null && items.length >= 3);
  const said = (state: typeof done) =>
    state.items.map((item) => ('text' in item ? `${item.type}: ${item.text}` : item.type));
  const all = ['userMessage: What is it?', 'agentMessage: Looking.', 'agentMessage: It is 42.'];
  expect(said(done)).toEqual(all);
  expect(standOf(done, session.summary().lastTurn).standing).toEqual({ completed: 'It is 42.' });
  // the same message again is the same message
  expect(await session.submit(task, null)).toEqual({ inputId: task.id, duplicate: true });
  await expect(session.submit(message('And now?'), null)).rejects.toMatchObject({ code: 'agent.one-shot' });
  await session.unload('shutdown');

  const again = await box.load(id, MODEL);
  const { state } = again.snapshot();
  expect(said(state)).toEqual(all);
  expect(state).toMatchObject({ status: 'idle', backend: ONE_SHOT });
  await expect(again.submit(message('And now?'), null)).rejects.toMatchObject({ code: 'agent.one-shot' });
  await again.unload('shutdown');
  const file = await readFile(findSession(box.db, id)?.rolloutPath ?? '', 'utf8');
  expect(file).toContain('"last_agent_message":"It is 42."');
  expect(box.faults).toEqual([]);
});

test('one that is cut by a restart is interrupted, and does not go on', async () => {
  const id = await agent("message('Looking.', 'commentary');");
  const session = await box.load(id, MODEL);
  await session.submit(message('Look.', 'queue'), null);
  await new Watcher(session).until(({ items }) => items.some(({ type }) => type === 'agentMessage'));
  await session.unload('shutdown');

  const again = await box.load(id, MODEL);
  const { state } = again.snapshot();
  expect(state).toMatchObject({ turn: null, status: 'idle', canContinue: false });
  expect(standOf(state, again.summary().lastTurn).standing).toEqual({
    errored: 'TurnInterrupted: turn interrupted by a restart of the server',
  });
  await again.unload('shutdown');
});

test('it works where its session works, held as that is, and names no directory to trust', async () => {
  const id = await agent(ANSWERS, { mode: 'approve-for-me' });
  const session = await box.load(id, MODEL);
  await session.submit(message('Go.', 'queue'), null);
  await new Watcher(session).until(({ turn, items }) => turn === null && items.length >= 3);
  await session.unload('shutdown');
  const { cwd, params } = JSON.parse(await readFile(join(box.dir, 'thread.json'), 'utf8'));
  expect(cwd).toBe(box.workDir);
  expect(params).toMatchObject({
    ...{ ephemeral: true, approvalPolicy: 'on-request', approvalsReviewer: 'auto_review' },
    permissions: 'tscodex-one-shot',
  });
  expect(params).not.toHaveProperty('cwd');
  expect(params).not.toHaveProperty('sandbox');
  const { filesystem, network } = params.config['permissions.tscodex-one-shot'];
  expect(network).toEqual({ enabled: false });
  expect(filesystem).toMatchObject({ ':root': 'read', [box.workDir]: 'write', [box.stateDir]: 'deny' });
});

test('what it would be allowed beyond its session fails as a class, with our reason', async () => {
  const id = await agent(ANSWERS, { mode: 'dangerously-bypass-approvals-and-sandbox' });
  const session = await box.load(id, MODEL);
  await session.submit(message('Go.', 'queue'), null);
  const failed = await new Watcher(session).until(({ turn, items }) => turn === null && items.length >= 2);
  expect(standOf(failed, session.summary().lastTurn).standing).toEqual({
    errored: expect.stringMatching(/^codex-agent\.access-policy: .*permission_mode .* workspace-write/),
  });
  await session.unload('shutdown');
});

test('where commands run as somebody else, Codex is not started', async () => {
  box = await openTestBox();
  const place = { cwd: '/w' };
  const permissions = { commandUid: (process.getuid?.() ?? 0) + 1 } as SessionPermissions;
  const codex = { program: '/opt/codex', codexHome: '/home/u/.codex' };
  expect(() => threadSettings({ place, permissions }, codex, box.config)).toThrow(
    expect.objectContaining({ code: 'agent.codex-user' }),
  );
});

test('nothing that looks like a secret is inherited; what the user has named for it is given', () => {
  const config = {
    codexHome: '/home/u/.codex',
    environment: { inherit: 'all', secrets: true, exclude: [], set: {}, includeOnly: [] },
    codex: {
      variables: () => ({ GATEWAY_KEY: 'named' }),
      oneShot: { variables: () => ({ CODEX_API_KEY: 'given', LANG: 'de_DE.UTF-8' }) },
    },
  } as unknown as Config;
  const env = {
    ...{ PATH: '/bin', OPENAI_API_KEY: 'x', CODEX_API_KEY: 'inherited', GITHUB_TOKEN: 'x', HOME: '/home/u' },
    ...{ SSH_AUTH_SOCK: '/x', HTTPS_PROXY: 'http://u:p@proxy', PLAIN: 'kept' },
  };
  const given = oneShotEnvironment({ config, env });
  expect(given).toMatchObject({
    ...{ PATH: '/bin', HOME: '/home/u', PLAIN: 'kept', CODEX_HOME: '/home/u/.codex' },
    ...{ GATEWAY_KEY: 'named', CODEX_API_KEY: 'given', LANG: 'de_DE.UTF-8' },
  });
  for (const secret of ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'SSH_AUTH_SOCK', 'HTTPS_PROXY'])
    expect(given).not.toHaveProperty(secret);
});
