import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Grants } from '@tscodex/shared/permissions';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { CommandScene } from './command-scene.ts';

const run = promisify(execFile);

let scene: CommandScene;
beforeEach(() => {
  scene = new CommandScene();
});
afterEach(() => scene.close());

const held = (grants: Grants): Confinement | null =>
  grants.unconfined
    ? null
    : {
        ...{ mode: 'workspace-write', network: grants.network ?? false, unixSockets: false },
        ...{ roots: [scene.cwd], write: grants.write ?? [], hidden: [], readable: grants.read ?? [] },
      };

/** As on a machine that confines; what is to run confined cannot be started on this stage. */
function confine(): void {
  scene.policy = { ...scene.policy, confined: true };
  scene.confinement = held;
}

const escalate = { sandbox_permissions: 'require_escalated', justification: 'to see' };

test('what is to leave the sandbox is asked with what it wants, and then runs outside', async () => {
  confine();
  const { success } = await scene.exec({ cmd: 'echo hi', ...escalate });
  expect(success).toBe(true);
  expect(scene.asked).toEqual([
    {
      ...{ what: 'command', command: 'echo hi', cwd: scene.cwd, reason: 'to see' },
      ...{ sandbox: 'none', grants: { unconfined: true } },
    },
  ]);
  expect(scene.shown()).toMatchObject({ sandbox: 'none', status: 'completed' });
});

test('where nothing confines there is nothing beyond: it is asked about as any command is', async () => {
  await scene.exec({ cmd: 'echo hi', ...escalate });
  expect(scene.asked).toEqual([
    { what: 'command', command: 'echo hi', cwd: scene.cwd, reason: 'to see', sandbox: 'none' },
  ]);
});

test('where no rule is offered the card says why', async () => {
  confine();
  scene.noRule = 'several';
  await scene.exec({ cmd: 'cd web && npm test', ...escalate });
  expect(scene.asked).toMatchObject([{ noRule: 'several' }]);
});

test('single permissions are asked by their resolved paths, without what every command has', async () => {
  confine();
  scene.answer = async () => ({ allowed: false });
  scene.confinement = (grants) => held({ network: true, ...grants });
  await mkdir(join(scene.cwd, 'data'));
  await symlink('data', join(scene.cwd, 'link'));
  const additional_permissions = { network: { enabled: true }, file_system: { write: ['link'], read: null } };
  await scene.exec({ cmd: 'ls', sandbox_permissions: 'with_additional_permissions', additional_permissions });
  expect(scene.asked).toMatchObject([
    { sandbox: 'workspace-write', grants: { write: [join(scene.cwd, 'data')] } },
  ]);
  expect(scene.asked[0]?.grants?.network).toBeUndefined();
  expect(scene.shown()).toMatchObject({ status: 'declined' });
});

test('a path that leads elsewhere by the time it is allowed is refused', async () => {
  confine();
  const data = join(scene.cwd, 'data');
  await mkdir(data);
  scene.answer = async () => {
    await rm(data, { recursive: true });
    await symlink('/etc', data);
    return { allowed: true, scope: 'once' };
  };
  const additional_permissions = { file_system: { write: ['data'] } };
  const { output } = await scene.exec({
    ...{ cmd: 'touch ran', sandbox_permissions: 'with_additional_permissions', additional_permissions },
  });
  expect(output).toContain(`${data}: this leads elsewhere than when it was allowed`);
});

test.each([
  [{ sandbox_permissions: 'with_additional_permissions' }, 'names no additional_permissions'],
  [
    { sandbox_permissions: 'require_escalated', additional_permissions: { network: { enabled: true } } },
    'not with "require_escalated"',
  ],
  [{ additional_permissions: { file_system: { read: ['/'] } } }, 'not with "use_default"'],
])('arguments that say two things run nothing: %j', async (args, why) => {
  const { output } = await scene.exec({ cmd: 'touch ran', ...args });
  expect(output).toContain(why);
  expect(scene.asked).toEqual([]);
});

test('what holds commands was taken away while a person was asked: nothing runs', async () => {
  confine();
  scene.policy = { ...scene.policy, approval: 'untrusted' };
  scene.answer = async () => {
    scene.confinement = () => null;
    return { allowed: true, scope: 'once' };
  };
  const { output } = await scene.exec({ cmd: 'touch ran' });
  expect(output).toContain('was changed while this waited; nothing was run');
});

test('a risk is named and offers no rule, a rule is offered where there is one', async () => {
  scene.answer = async () => ({ allowed: false });
  scene.judgement = { ...scene.judgement, risk: 'delete' };
  await scene.exec({ cmd: 'rm -rf x' });
  expect(scene.asked).toEqual([expect.objectContaining({ risk: 'delete' })]);
  expect(scene.asked[0]).not.toHaveProperty('rule');
  scene.judgement = { ...scene.judgement, risk: null, proposal: ['npm', 'test'] };
  await scene.exec({ cmd: 'npm test' });
  expect(scene.asked[1]).toMatchObject({ rule: ['npm', 'test'] });
});

test("a rule's own words come with the question", async () => {
  scene.answer = async () => ({ allowed: false });
  scene.judgement = {
    ...scene.judgement,
    rule: 'prompt',
    justification: 'It costs money.',
    pattern: ['deploy'],
  };
  await scene.exec({ cmd: 'deploy', justification: 'to ship' });
  const because = { pattern: ['deploy'], justification: 'It costs money.' };
  expect(scene.asked).toMatchObject([{ reason: 'to ship', because }]);
  const { pattern: _, ...unread } = { ...scene.judgement, justification: 'a.rules: it cannot be read' };
  scene.judgement = unread;
  await scene.exec({ cmd: 'deploy', justification: 'to ship' });
  expect(scene.asked[1]).toMatchObject({ reason: 'a.rules: it cannot be read\nto ship' });
  expect(scene.asked[1]).not.toHaveProperty('because');
});

test('what a rule allows runs outside, without a shell and without the programs of the workspace', async () => {
  confine();
  await writeFile(join(scene.cwd, 'printenv'), '#!/bin/sh\necho evil\n', { mode: 0o755 });
  scene.env = { ...scene.env, PATH: `${scene.cwd}:.:${scene.env.PATH}` };
  scene.judgement = { ...scene.judgement, rule: 'allow', direct: ['printenv', 'PATH'] };
  const { output } = await scene.exec({ cmd: 'printenv PATH' });
  expect(scene.asked).toEqual([]);
  expect(output).not.toContain('evil');
  expect(output).not.toContain(scene.cwd);
  expect(scene.shown()).toMatchObject({
    ...{ sandbox: 'none', status: 'completed', allowance: { how: 'rule' } },
  });
});

test('where commands may write in another mode are no programs for what a rule allows', async () => {
  confine();
  scene.confinement = (grants) => ({ ...(held(grants) as Confinement), mode: 'read-only', roots: [] });
  // not below the directory for temporary files: that is no place for programs in any case
  scene.everWritable = ['/usr/lib'];
  scene.allowed = { write: ['/usr/share'] };
  scene.env = { ...scene.env, PATH: '/usr/lib:/usr/share:/usr/bin:/etc', TMPDIR: '/etc' };
  scene.judgement = { ...scene.judgement, rule: 'allow', direct: ['printenv', 'PATH'] };
  expect((await scene.exec({ cmd: 'printenv PATH' })).output).toMatch(/^\/usr\/bin$/m);
});

test('a rule about git counts in a repository that commands cannot have written, and there alone', async () => {
  scene.answer = async () => ({ allowed: false });
  scene.env = { ...scene.env, HOME: '/nowhere' };
  scene.judgement = { ...scene.judgement, rule: 'allow', direct: ['git', 'status'], git: { reads: true } };
  await mkdir(join(scene.cwd, 'n'));
  await run('git', ['init', '-q', scene.cwd]);
  await run('git', ['init', '-q', join(scene.cwd, 'n')]);
  await run('git', ['-C', scene.cwd, 'config', 'core.fsmonitor', 'touch ran; false']);
  expect((await scene.exec({ cmd: 'git status' })).success).toBe(true);
  expect(existsSync(join(scene.cwd, 'ran'))).toBe(false);
  expect(scene.asked).toEqual([]);
  await scene.exec({ cmd: 'git status', workdir: 'n' });
  expect(scene.asked).toHaveLength(1);
  expect(scene.asked[0]).not.toHaveProperty('rule');
  scene.judgement = { ...scene.judgement, rule: null, direct: null, proposal: ['git', 'status'] };
  await scene.exec({ cmd: 'git status', workdir: 'n' });
  expect(scene.asked.pop()).not.toHaveProperty('rule');
  await scene.exec({ cmd: 'git status' });
  expect(scene.asked.pop()).toMatchObject({ rule: ['git', 'status'] });
  scene.judgement = { ...scene.judgement, rule: 'allow', direct: ['git', 'status'], proposal: null };
  scene.env = { ...scene.env, HOME: scene.cwd };
  await scene.exec({ cmd: 'git status' });
  expect(scene.asked).toHaveLength(2);
});

test('a rule that is gone by the time of the start lets nothing out', async () => {
  scene.judgement = { ...scene.judgement, rule: 'allow', direct: ['touch', 'ran'] };
  scene.begin = async () => {
    scene.judgement = { ...scene.judgement, rule: null, direct: null };
  };
  const { output } = await scene.exec({ cmd: 'touch ran' });
  expect(output).toContain('was changed while this waited; nothing was run');
  expect(existsSync(join(scene.cwd, 'ran'))).toBe(false);
});

test('once its rule is saved the command is judged anew', async () => {
  confine();
  scene.judgement = { ...scene.judgement, proposal: ['echo'] };
  scene.answer = async () => {
    scene.judgement = { ...scene.judgement, rule: 'allow', direct: ['echo', 'as', 'the', 'rule', 'says'] };
    return { allowed: true, scope: 'rule' };
  };
  const { output } = await scene.exec({ cmd: 'echo', ...escalate });
  expect(output).toContain('as the rule says');
});
