/** What the agent runs is held by the operating system, and people say what may leave it. Over the API, no page. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Ask } from '@tscodex/shared/asks';
import type { CommandExecution, FileChange } from '@tscodex/shared/items';
import type { RuleList } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import { lastOutput, notices } from '../support/conversation.ts';
import type { FakeModel, Step } from '../support/fake-model.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import type { Box } from '../support/server.ts';
import { escalated, patch, shell } from '../support/shell-call.ts';
import { type Scene, test } from '../support/stage.ts';

/** The boxes lie in /tmp, which would be writable. */
const STRICT = '[sandbox_workspace_write]\nexclude_slash_tmp = true\n';
const NEVER = `approval_policy = "never"\n${STRICT}`;

const outside = (box: Box, path = '') => join(box.dir, 'outside', path);

type Open = (options?: { toml?: string; confined?: boolean }) => Promise<Scene>;

/** A server that confines, with a directory beside the workspace. */
async function confined(open: Open, toml = STRICT): Promise<Scene> {
  const scene = await open({ toml, confined: true });
  await mkdir(outside(scene.box));
  return scene;
}

/** Sends a message and waits for the turn's end; what the model read of its last call. */
async function run({ server, session }: Scene, model: FakeModel): Promise<string> {
  await server.send(session, 'go');
  await server.idle(session);
  return lastOutput(model.requests.at(-1));
}

async function asked({ server, session }: Scene): Promise<Ask> {
  const { asks } = await server.until(session, (state) => state.asks.length > 0);
  return asks[0] as Ask;
}

async function answer({ server, session }: Scene, ask: Ask, body: object): Promise<SessionState> {
  await server.api('POST', `api/sessions/${session}/asks/${ask.id}`, body);
  return server.idle(session);
}

function commands({ items }: SessionState): CommandExecution[] {
  return items.filter((item): item is CommandExecution => item.type === 'commandExecution');
}

test('a command writes its workspace and nothing else, unasked', async ({ open, model }) => {
  const scene = await confined(open);
  model.answer(shell('echo in > in.txt; echo out > ../outside/out.txt; echo x > .git/config; touch /etc/x'));
  expect(await run(scene, model)).toContain('Read-only file system');
  expect(await readFile(join(scene.box.workDir, 'in.txt'), 'utf8')).toBe('in\n');
  expect(existsSync(outside(scene.box, 'out.txt'))).toBe(false);
  expect(existsSync(join(scene.box.workDir, '.git'))).toBe(false);
  const state = await scene.server.state(scene.session);
  expect(state).toMatchObject({ confined: true, sandboxProblem: null, sandboxMode: 'workspace-write' });
  expect(commands(state)).toMatchObject([{ sandbox: 'workspace-write', status: 'failed' }]);
});

test('a place to write that is gone is told before a command has failed for it', async ({ open, model }) => {
  const gone = `/var/tmp/tscodex-gone-${process.pid}`;
  const scene = await confined(open, `${STRICT}writable_roots = ["${gone}"]\n`);
  const before = notices(await scene.server.state(scene.session));
  expect(before).toMatchObject([
    { level: 'warning', code: 'permissions.obstacle', details: { path: gone, why: 'it does not exist' } },
  ]);
  model.answer(shell('true'));
  expect(await run(scene, model)).toContain(`${gone}: it does not exist`);
  // told once, however often the session is loaded
  await scene.restart();
  expect(notices(await scene.server.state(scene.session))).toHaveLength(1);
});

test('no network, and the way to ask for it is told', async ({ open, model }) => {
  const scene = await confined(open);
  const { port } = new URL(model.url);
  model.answer(shell(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`), [{ text: 'No.' }]);
  const output = await run(scene, model);
  expect(output).not.toContain('reached');
  model.answer(shell('getent hosts example.com || { echo "Could not resolve host" >&2; false; }'));
  expect(await run(scene, model)).toContain('require_escalated');
});

test('keys, the server’s state and other workspaces are not there', async ({ open, model }) => {
  const scene = await confined(open);
  const { box, server } = scene;
  await mkdir(join(box.dir, '.ssh'));
  await writeFile(join(box.dir, '.ssh/id'), 'SECRET-KEY');
  await mkdir(join(box.dir, 'other'));
  await writeFile(join(box.dir, 'other/plan'), 'SECRET-PLAN');
  await mkdir(join(box.codexHome, 'skills'));
  await writeFile(join(box.codexHome, 'skills/s.md'), 'a skill');
  await server.api('POST', 'api/workspaces', { name: 'other', dir: join(box.dir, 'other') });
  model.answer(
    shell(`cat ~/.ssh/id ../other/plan ${box.codexHome}/config.toml ${box.codexHome}/tscodex/token`),
    shell(`ls -a ~/.ssh ../other ${box.codexHome}/tscodex; cat ${box.codexHome}/skills/s.md`),
  );
  await run(scene, model);
  const told = JSON.stringify(model.requests.at(-1)?.input);
  for (const secret of ['SECRET-KEY', 'SECRET-PLAN', 'model_provider', server.token, 'state.sqlite'])
    expect(told).not.toContain(secret);
  expect(told).toContain('a skill');
});

test('what wants to leave the sandbox is asked, and leaves it once', async ({ open, model }) => {
  const scene = await confined(open);
  model.answer(escalated('echo out > ../outside/out.txt'));
  await scene.server.send(scene.session, 'go');
  const ask = await asked(scene);
  expect(ask.approval).toMatchObject({
    ...{ what: 'command', command: 'echo out > ../outside/out.txt', reason: 'It needs that.' },
    ...{ sandbox: 'none', grants: { unconfined: true } },
  });
  expect(existsSync(outside(scene.box, 'out.txt'))).toBe(false);
  const state = await answer(scene, ask, { choice: 'once' });
  expect(await readFile(outside(scene.box, 'out.txt'), 'utf8')).toBe('out\n');
  expect(commands(state)).toMatchObject([{ sandbox: 'none', decision: { choice: 'once' } }]);
});

test('a single place to write is allowed by its resolved path, and no more', async ({ open, model }) => {
  const scene = await confined(open);
  await symlink(outside(scene.box), join(scene.box.workDir, 'link'));
  const cmd = 'echo out > link/out.txt; echo no > ../no.txt';
  const wants = { sandbox_permissions: 'with_additional_permissions' };
  model.answer(shell(cmd, { ...wants, additional_permissions: { file_system: { write: ['link'] } } }));
  await scene.server.send(scene.session, 'go');
  const ask = await asked(scene);
  expect(ask.approval).toMatchObject({ sandbox: 'workspace-write', grants: { write: [outside(scene.box)] } });
  await answer(scene, ask, { choice: 'once' });
  expect(existsSync(outside(scene.box, 'out.txt'))).toBe(true);
  expect(existsSync(join(scene.box.dir, 'no.txt'))).toBe(false);
});

test('nobody can allow the server’s own places', async ({ open, model }) => {
  const scene = await confined(open);
  for (const path of [scene.box.codexHome, join(scene.box.codexHome, 'tscodex'), scene.box.dir]) {
    const additional_permissions = { file_system: { read: [path] } };
    model.answer(shell('ls', { sandbox_permissions: 'with_additional_permissions', additional_permissions }));
    expect(await run(scene, model)).toContain('cannot be allowed by anybody');
  }
});

test('permissions for the turn end with it, those for the session stay, also over a restart', async ({
  open,
  model,
}) => {
  const scene = await confined(open);
  const request = [
    {
      call: 'request_permissions',
      args: { reason: 'To write there.', permissions: { file_system: { write: [outside(scene.box)] } } },
    },
  ];
  const write = (name: string) => shell(`echo x > ../outside/${name}`);
  model.answer(request, write('one'), [{ text: 'Done.' }]);
  await scene.server.send(scene.session, 'go');
  const ask = await asked(scene);
  expect(ask.approval).toMatchObject({ what: 'permissions', grants: { write: [outside(scene.box)] } });
  await answer(scene, ask, { choice: 'once' });
  expect(existsSync(outside(scene.box, 'one'))).toBe(true);
  model.answer(write('two'));
  await run(scene, model);
  expect(existsSync(outside(scene.box, 'two'))).toBe(false);

  model.answer(request, write('three'), [{ text: 'Done.' }]);
  await scene.server.send(scene.session, 'go');
  await answer(scene, await asked(scene), { choice: 'session' });
  await scene.restart();
  model.answer(write('four'), request);
  await run(scene, model);
  for (const name of ['three', 'four']) expect(existsSync(outside(scene.box, name))).toBe(true);
});

test('a rule is refused, saved, honoured and revoked', async ({ open, model }) => {
  const scene = await confined(open);
  const { server, session, box } = scene;
  const make = (name: string) => `mkdir -p ../outside ../outside/${name}`;
  model.answer(escalated(make('one'), { prefix_rule: ['mkdir', '-p'] }));
  await server.send(session, 'go');
  const ask = await asked(scene);
  expect(ask.approval?.rule).toEqual(['mkdir', '-p', '../outside', '../outside/one']);
  const path = `api/sessions/${session}/asks/${ask.id}`;
  const refused = await server.request('POST', path, { choice: 'rule', rule: ['mkdir', '-p'] });
  expect([refused.status, (await refused.json()).error.code]).toEqual([400, 'rules.prefix']);
  expect((await server.state(session)).asks).toHaveLength(1);
  const rule = ['mkdir', '-p', '../outside'];
  const state = await answer(scene, ask, { choice: 'rule', rule });
  expect(existsSync(outside(box, 'one'))).toBe(true);
  expect(commands(state)).toMatchObject([{ decision: { choice: 'rule', rule } }]);
  expect(await readFile(join(box.codexHome, 'rules/default.rules'), 'utf8')).toBe(
    'prefix_rule(pattern=["mkdir", "-p", "../outside"], decision="allow")\n',
  );

  model.answer(shell(make('two')));
  await run(scene, model);
  expect(existsSync(outside(box, 'two'))).toBe(true);

  const { rules } = await server.api<RuleList>('GET', 'api/rules');
  expect(rules).toMatchObject([{ pattern: rule, decision: 'allow' }]);
  await server.api('DELETE', `api/rules/${rules[0]?.id}`);
  model.answer(shell(make('three')));
  await run(scene, model);
  expect(existsSync(outside(box, 'three'))).toBe(false);
});

/** Rules as a person has written them. */
async function allow(box: Box, ...rules: string[]): Promise<void> {
  const lines = rules.map((rule) => `prefix_rule(pattern=${JSON.stringify(rule.split(' '))})\n`);
  await mkdir(join(box.codexHome, 'rules'), { recursive: true });
  await writeFile(join(box.codexHome, 'rules/team.rules'), lines.join(''));
}

/** A program that would leave the sandbox, written by a command. */
const plant = (box: Box, name: string) =>
  `printf '#!/bin/sh\\ntouch ${outside(box)}/escaped\\n' > ${name} && chmod +x ${name} && ls -l ${name}`;

test('a file that is named like a shell leaves the sandbox under no rule', async ({ open, model }) => {
  const scene = await confined(open);
  await allow(scene.box, 'pytest');
  model.answer(shell(plant(scene.box, 'bash')), shell("./bash -c 'pytest; pytest'"));
  await run(scene, model);
  const state = await scene.server.state(scene.session);
  expect(commands(state)).toMatchObject([{ exitCode: 0 }, { sandbox: 'workspace-write' }]);
  expect(existsSync(outside(scene.box, 'escaped'))).toBe(false);
});

test('git leaves the sandbox by a rule for what the rule names, in the workspace’s own repository', async ({
  open,
  model,
}) => {
  const scene = await confined(open);
  const { box } = scene;
  await promisify(execFile)('git', ['init', '-q', box.workDir]);
  await allow(box, ...['status', 'log', 'ls-remote', 'clone', 'diff'].map((command) => `git ${command}`));
  const leaves = `touch ${outside(box)}/escaped; false`;
  const inside = { workdir: 'n' };
  model.answer(
    shell('git status'),
    shell(`git init -q n && git -C n config core.fsmonitor '${leaves}'`),
    shell('git status', inside),
    shell('git status; git status', inside),
    shell(`git -C n status`),
    shell(`git ls-remote --upload-pack='${leaves}' ./n`),
    shell(`git clone --upload-pa='${leaves}' ./n nn`),
    shell(`git diff --no-index --output=${outside(box)}/escaped /etc/hostname /etc/passwd`),
    shell(`git log --output=${outside(box)}/escaped`),
  );
  await run(scene, model);
  const [first, ...others] = commands(await scene.server.state(scene.session));
  expect(first).toMatchObject({ sandbox: 'none', exitCode: 0 });
  expect(others.map(({ sandbox }) => sandbox)).toEqual(Array(8).fill('workspace-write'));
  expect(existsSync(outside(box, 'escaped'))).toBe(false);
});

test('what was put on PATH while that was allowed is not run by a rule once it no longer is', async ({
  open,
  model,
}) => {
  const scene = await confined(open);
  const { box, session } = scene;
  await scene.restart({ PATH: `${join(box.workDir, 'bin')}:${process.env.PATH}` });
  await mkdir(join(box.workDir, 'bin'));
  await allow(box, 'uname -s');
  model.answer(shell(plant(box, 'bin/uname')));
  await run(scene, model);
  await scene.server.api('PATCH', `api/sessions/${session}`, { sandbox: 'read-only' });
  model.answer(shell('uname -s'));
  await run(scene, model);
  const state = await scene.server.state(session);
  expect(commands(state)[1]).toMatchObject({ sandbox: 'none', output: 'Linux\n' });
  expect(existsSync(outside(box, 'escaped'))).toBe(false);
});

test('a shell that was allowed once is not typed into when the session may do less', async ({
  open,
  model,
}) => {
  const scene = await confined(open);
  const { box, server, session } = scene;
  const additional_permissions = { file_system: { write: [outside(box)] } };
  const how = { sandbox_permissions: 'with_additional_permissions', additional_permissions };
  model.answer(shell('sh', { tty: true, yield_time_ms: 250, ...how }));
  await server.send(session, 'go');
  const state = await answer(scene, await asked(scene), { choice: 'once' });
  const [{ processId }] = commands(state) as [CommandExecution];
  const type = (chars: string): Step[] => [
    { call: 'write_stdin', args: { session_id: Number(processId), chars, yield_time_ms: 1000 } },
  ];
  model.answer(type(`touch ../outside/escaped\n`));
  await server.send(session, 'go');
  const ask = await asked(scene);
  expect(ask.approval?.command).toContain('touch ../outside/escaped');
  expect(ask.approval?.grants).toEqual({ write: [outside(box)] });
  await answer(scene, ask, { choice: 'decline' });
  await server.api('PATCH', `api/sessions/${session}`, { sandbox: 'read-only', approval: 'never' });
  model.answer(type('touch inside ../outside/escaped\n'));
  expect(await run(scene, model)).toContain('Ctrl-C');
  expect(existsSync(outside(box, 'escaped'))).toBe(false);
  expect(existsSync(join(box.workDir, 'inside'))).toBe(false);
});

test('an approval outlives a restart with all it says', async ({ open, model }) => {
  const scene = await confined(open);
  model.answer(escalated('mkdir ../outside/r', { prefix_rule: ['mkdir'] }), [{ text: 'Made.' }]);
  await scene.server.send(scene.session, 'go');
  const before = await asked(scene);
  await scene.server.kill('SIGKILL');
  await scene.restart();
  const after = await asked(scene);
  expect(after).toEqual(before);
  await answer(scene, after, { choice: 'rule' });
  expect(existsSync(outside(scene.box, 'r'))).toBe(true);
  expect(existsSync(join(scene.box.codexHome, 'rules/default.rules'))).toBe(true);
});

test('declined with words, and declined for good', async ({ open, model }) => {
  const scene = await confined(open);
  model.answer(escalated('touch ../outside/x'), [{ text: 'I see.' }]);
  await scene.server.send(scene.session, 'go');
  await answer(scene, await asked(scene), { choice: 'decline', reason: 'use the workspace' });
  expect(lastOutput(model.requests.at(-1))).toContain('use the workspace');

  model.answer(escalated('touch ../outside/x'));
  const before = model.requests.length;
  await scene.server.send(scene.session, 'again');
  const state = await answer(scene, await asked(scene), { choice: 'stop' });
  expect(model.requests).toHaveLength(before + 1);
  expect(commands(state).at(-1)).toMatchObject({ status: 'declined', decision: { choice: 'stop' } });
  expect(notices(state).map(({ code }) => code)).toEqual(['turn.stopped']);
  expect(existsSync(outside(scene.box, 'x'))).toBe(false);
});

test('where nobody may be asked, what is confined runs and the rest is refused', async ({ open, model }) => {
  const scene = await confined(open, NEVER);
  model.answer(
    shell('echo in > in.txt'),
    escalated('touch ../outside/x'),
    patch('*** Add File: ../outside/y', '+y'),
    shell('rm -rf in.txt'),
  );
  await run(scene, model);
  const outputs = (model.requests.at(-1)?.input ?? []).filter(({ type }) => String(type).endsWith('_output'));
  expect(outputs.slice(1).map(({ output }) => String(output))).toEqual([
    expect.stringContaining('"never"'),
    expect.stringContaining(outside(scene.box, 'y')),
    expect.stringContaining('"never"'),
  ]);
  expect(existsSync(join(scene.box.workDir, 'in.txt'))).toBe(true);
  for (const name of ['x', 'y']) expect(existsSync(outside(scene.box, name))).toBe(false);
});

test('a machine that cannot confine: each command asks and says why; under "never" it is refused', async ({
  open,
  model,
}) => {
  const asking = await open();
  expect(asking.server.stdout).toContain(
    'Commands are not confined: each asks first. bubblewrap is not installed.',
  );
  model.answer(shell('echo hi'));
  await asking.server.send(asking.session, 'go');
  expect((await asked(asking)).approval).toMatchObject({ command: 'echo hi', sandbox: 'none' });
  expect(await asking.server.state(asking.session)).toMatchObject({
    confined: false,
    sandboxProblem: { kind: 'bwrap-missing' },
  });
  const health = await asking.server.api<{ sandbox: object }>('GET', 'healthz?verbose');
  expect(health.sandbox).toMatchObject({ confined: false, kind: 'bwrap-missing', fix: expect.any(String) });

  model.reset();
  const refusing = await open({ toml: 'approval_policy = "never"\n' });
  model.answer(shell('touch made'));
  expect(await run(refusing, model)).toContain('approval_policy = "never"');
  expect(existsSync(join(refusing.box.workDir, 'made'))).toBe(false);
});

test('Stop of a tree that does not want to end leaves nothing', async ({ open, model }) => {
  const scene = await confined(open);
  const sleep = `sleep ${uniqueSeconds()}`;
  model.answer(
    shell(`trap "" TERM INT HUP; (setsid ${sleep} &); nohup ${sleep} & ${sleep} & wait`, {
      yield_time_ms: 30_000,
    }),
  );
  await scene.server.send(scene.session, 'go');
  await expect.poll(() => processes(sleep).length).toBe(3);
  await scene.server.api('POST', `api/sessions/${scene.session}/interrupt`);
  await scene.server.idle(scene.session);
  expect(processes(sleep)).toEqual([]);
});

test('a server that is killed takes what is confined along', async ({ open, model }) => {
  const scene = await confined(open);
  const sleep = `sleep ${uniqueSeconds()}`;
  model.answer(shell(`(setsid ${sleep} &); ${sleep}`, { yield_time_ms: 30_000 }));
  await scene.server.send(scene.session, 'go');
  await expect.poll(() => processes(sleep).length).toBe(2);
  await scene.server.kill('SIGKILL');
  await expect.poll(() => processes(sleep)).toEqual([]);
});

test('O-A7: patches write the workspace unasked, and leave it by the resolved path alone', async ({
  open,
  model,
}) => {
  const scene = await confined(open);
  const { box, server, session } = scene;
  await symlink(outside(box), join(box.workDir, 'link'));
  const inside = ['./in.txt', join(box.workDir, 'abs.txt'), 'new/deep/f.txt'];
  model.answer(patch(...inside.flatMap((path) => [`*** Add File: ${path}`, '+x'])));
  expect(await run(scene, model)).toContain('Success');
  for (const path of ['in.txt', 'abs.txt', 'new/deep/f.txt'])
    expect(await readFile(join(box.workDir, path), 'utf8')).toBe('x\n');

  const leaving = ['../escape.txt', 'a/../../escape.txt', outside(box, 'abs.txt'), 'link/through.txt'];
  const resolved = [join(box.dir, 'escape.txt'), join(box.dir, 'escape.txt')];
  resolved.push(outside(box, 'abs.txt'), outside(box, 'through.txt'));
  for (const [n, path] of leaving.entries()) {
    model.answer(patch(`*** Add File: ${path}`, '+x', '*** Update File: in.txt', '-x', '+y'), [
      { text: 'No?' },
    ]);
    await server.send(session, 'go');
    const ask = await asked(scene);
    expect(ask.approval?.grants).toEqual({ write: [resolved[n]] });
    expect(ask.approval?.changes?.[0]?.path).toBe(resolved[n]);
    await answer(scene, ask, { choice: 'decline' });
    expect(existsSync(resolved[n] as string)).toBe(false);
  }
  expect(await readFile(join(box.workDir, 'in.txt'), 'utf8')).toBe('x\n');

  model.answer(patch('*** Add File: link/through.txt', '+x'), [{ text: 'Done.' }]);
  await server.send(session, 'go');
  const state = await answer(scene, await asked(scene), { choice: 'once' });
  expect(await readFile(outside(box, 'through.txt'), 'utf8')).toBe('x\n');
  expect(state.items.findLast((item): item is FileChange => item.type === 'fileChange')).toMatchObject({
    status: 'completed',
  });
});

test('the server is root, the workspace somebody’s: commands and patches are theirs', async ({
  open,
  model,
}) => {
  test.skip(process.getuid?.() !== 0, 'only root can be somebody else');
  const somebody = 54_321;
  const scene = await confined(open);
  const { box } = scene;
  await chmod(box.dir, 0o755);
  await chown(box.workDir, somebody, somebody);
  // whose a directory is does not change under a server
  await scene.restart();
  model.answer(shell('id -u > uid.txt; cat /etc/shadow'), patch('*** Add File: new/patched.txt', '+x'));
  await run(scene, model);
  expect(await readFile(join(box.workDir, 'uid.txt'), 'utf8')).toBe(`${somebody}\n`);
  expect(JSON.stringify(model.requests.at(-1)?.input)).not.toContain('root:');
  for (const name of ['uid.txt', 'new', 'new/patched.txt'])
    expect((await stat(join(box.workDir, name))).uid).toBe(somebody);
});

test('settings of one session: from the next command on, told to all and to the model', async ({
  open,
  model,
}) => {
  const scene = await confined(open);
  const { server, session, box } = scene;
  const path = `api/sessions/${session}`;
  model.answer(shell('touch one'), () => [{ text: 'One.' }]);
  await run(scene, model);
  await server.api('PATCH', path, { sandbox: 'read-only' });
  const { sandboxMode, items } = await server.state(session);
  expect(sandboxMode).toBe('read-only');
  expect(items.at(-1)).toMatchObject({ code: 'session.permissions', details: { sandbox: 'read-only' } });
  model.answer(shell('touch two'));
  expect(await run(scene, model)).toContain('Read-only');
  expect(existsSync(join(box.workDir, 'two'))).toBe(false);
  const [first, last] = [model.requests[0], model.requests.at(-1)];
  // what was sent before stays as it was
  expect(last?.input.slice(0, first?.input.length)).toEqual(first?.input);
  const said = JSON.stringify(last?.input.slice(first?.input.length));
  expect(said.split('<permissions instructions>')).toHaveLength(2);

  await scene.restart();
  expect((await scene.server.state(session)).sandboxMode).toBe('read-only');
  const both = { sandbox: 'danger-full-access', approval: 'never' };
  const refused = await scene.server.request('PATCH', path, both);
  expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'permissions.unattended']);
  expect(await scene.server.state(session)).toMatchObject({
    sandboxMode: 'read-only',
    approvalPolicy: 'on-request',
  });
});

test('settings of a workspace: its sessions follow at once, but for what they set themselves', async ({
  open,
  model: _,
}) => {
  const scene = await confined(open);
  const { server, session, box } = scene;
  const own = await server.newSession();
  await server.api('PATCH', `api/sessions/${own}`, { sandbox: 'workspace-write' });
  const change = async (permissions: object) => {
    const [{ revision } = { revision: '' }] = await server.workspaces();
    await server.api('PATCH', 'api/workspaces/demo', { revision, permissions });
  };
  await change({ sandbox: 'read-only', network: true });
  expect((await server.workspaces())[0]?.permissions).toEqual({ sandbox: 'read-only', network: true });
  await server.until(session, ({ sandboxMode }) => sandboxMode === 'read-only');
  expect(await server.state(own)).toMatchObject({ sandboxMode: 'workspace-write', networkAccess: true });
  expect(JSON.parse(await readFile(box.configPath, 'utf8')).workspaces[0]).toMatchObject({
    sandbox: 'read-only',
    network: true,
  });
  await change({ sandbox: null, network: null });
  await server.until(session, ({ sandboxMode }) => sandboxMode === 'workspace-write');
  expect(Object.keys(JSON.parse(await readFile(box.configPath, 'utf8')).workspaces[0])).toEqual([
    'id',
    'work_dir',
  ]);

  await writeFile(
    box.configPath,
    JSON.stringify({ workspaces: [{ id: 'demo', work_dir: 'work', sandbox: 'none' }] }),
  );
  await expect
    .poll(async () => (await server.workspaces())[0]?.problem?.message)
    .toMatch(/workspaces\[0\]\.sandbox/);
});
