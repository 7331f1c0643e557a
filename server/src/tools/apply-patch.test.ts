import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import type { Grants } from '@tscodex/shared/permissions';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Policy } from '../approvals/decide.ts';
import { isWithin } from '../base/paths.ts';
import { CommandCeiling } from '../exec/command-ceiling.ts';
import { ProcessManager } from '../exec/process-manager.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { Sandbox } from '../exec/sandbox/sandbox.ts';
import { applyPatch, runPatch } from './apply-patch.ts';
import type { ApprovalDecision, ToolContext } from './tool.ts';

let parent: string;
let cwd: string;
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'apply-patch-')));
  cwd = join(parent, 'w');
  await mkdir(cwd);
});
afterEach(() => rm(parent, { recursive: true }));

const at = (path: string) => join(cwd, path);
const text = (path: string) => readFile(at(path), 'utf8');
const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

const marker = `apply-patch-${process.pid}`;
const processes = new ProcessManager({
  marker,
  ceiling: new CommandCeiling(),
  sandbox: new Sandbox({ bwrap: '/missing/bwrap', dir: join(tmpdir(), marker) }),
  onBackground: () => undefined,
});
/** What holds the writing; nothing unless a test says so. */
let confinement: (grants: Grants) => Confinement | null = () => null;
const never = () => ({ places: [join(parent, 'state')], except: [], files: [] });
afterEach(() => {
  confinement = () => null;
});

/** A context whose person answers with `answer`; keeps the story of the call. */
function scene(answer: (approval: Approval) => Promise<ApprovalDecision>, policy: Partial<Policy> = {}) {
  const stop = new AbortController();
  const story: (EventBody | { type: 'asked'; approval: Approval } | { type: 'begun' })[] = [];
  const context = {
    itemId: 'item',
    turnId: 'turn',
    cwd,
    signal: stop.signal,
    policy: {
      approval: 'on-request',
      sandbox: 'workspace-write',
      confined: false,
      unattended: false,
      granted: () => false,
      ...policy,
    },
    ask: {
      approve: async (approval: Approval) => {
        story.push({ type: 'asked', approval });
        return answer(approval);
      },
    },
    holding: {
      confinement: (grants: Grants) => confinement(grants),
      outside: (paths: string[]) => (confinement({}) ? paths.filter((path) => !isWithin(path, cwd)) : []),
      hiding: () => {
        const hidden = confinement({})?.hidden ?? [];
        return (path: string) => hidden.some((place) => isWithin(path, place));
      },
      never: never(),
    },
    environment: async () => ({ PATH: process.env.PATH ?? '' }),
    allowed: () => ({}),
    processes,
    emit: (event: EventBody) => story.push(event),
    begin: async () => void story.push({ type: 'begun' }),
    // what a patch does not use is left out
  } as unknown as ToolContext;
  return { context, story, stop };
}

const allow = async (): Promise<ApprovalDecision> => ({ allowed: true, scope: 'once' });

test('asks with the planned changes, then writes them and reports as Codex does', async () => {
  await writeFile(at('notes.txt'), 'one\n');
  await writeFile(at('old.txt'), 'x\n');
  const { context, story } = scene(async () => {
    expect(await text('notes.txt')).toBe('one\n');
    return { allowed: true, scope: 'once' };
  });
  const input = patch(
    '*** Delete File: old.txt',
    '*** Update File: notes.txt',
    '*** Move to: sub/moved.txt',
    '-one',
    '+two',
    '*** Add File: new/a.txt',
    '+a',
  );
  const result = await applyPatch.freeform.call(input, context);
  expect(result.success).toBe(true);
  expect(result.output).toMatch(
    /^Exit code: 0\nWall time: \d+\.\d seconds\nOutput:\nSuccess\. Updated the following files:\nA new\/a\.txt\nM sub\/moved\.txt\nD old\.txt\n$/,
  );
  const changes = [
    { path: at('old.txt'), kind: 'delete', diff: '@@ -1,1 +0,0 @@\n-x' },
    {
      path: at('notes.txt'),
      kind: 'move',
      movedTo: at('sub/moved.txt'),
      diff: '@@ -1,1 +1,1 @@\n-one\n+two',
    },
    { path: at('new/a.txt'), kind: 'add', diff: '@@ -0,0 +1,1 @@\n+a' },
  ];
  expect(story).toEqual([
    {
      type: 'item.started',
      item: expect.objectContaining({ id: 'item', turnId: 'turn', status: 'inProgress' }),
    },
    { type: 'asked', approval: expect.objectContaining({ what: 'patch', cwd, changes }) },
    { type: 'begun' },
    { type: 'item.completed', item: expect.objectContaining({ status: 'completed', changes }) },
  ]);
  expect((await readdir(cwd, { recursive: true })).sort()).toEqual([
    'new',
    'new/a.txt',
    'sub',
    'sub/moved.txt',
  ]);
  expect(await text('sub/moved.txt')).toBe('two\n');
});

test('O-A8: a patch that does not fit changes nothing, asks nothing and says why', async () => {
  await writeFile(at('a.txt'), 'one\n');
  await writeFile(at('b.txt'), 'two\n');
  const { context, story } = scene(allow);
  const input = patch(
    ...['*** Update File: a.txt', '@@', '-one', '+ONE', '*** Update File: b.txt', '@@', '-missing', '+X'],
    ...['*** Add File: c.txt', '+c'],
  );
  expect(await applyPatch.freeform.call(input, context)).toEqual({
    output: 'apply_patch failed, no file was changed: b.txt: these lines were not found:\nmissing',
    success: false,
  });
  expect(story).toMatchObject([
    { type: 'item.completed', item: { status: 'failed', changes: [], error: /b\.txt/ } },
  ]);
  expect(await readdir(cwd)).toEqual(['a.txt', 'b.txt']);
  expect(await text('a.txt')).toBe('one\n');
});

test('text that is no patch is a failed item too', async () => {
  const { context, story } = scene(allow);
  const result = await applyPatch.freeform.call('hello', context);
  expect(result.output).toMatch(
    /^apply_patch failed, no file was changed: .*line 1: expected "\*\*\* Begin Patch", found "hello"/,
  );
  expect(story).toMatchObject([{ type: 'item.completed', item: { status: 'failed' } }]);
});

test('a declined patch changes nothing and passes the words on', async () => {
  const { context, story } = scene(async () => ({ allowed: false, reason: 'use the docs folder' }));
  const result = await applyPatch.freeform.call(patch('*** Add File: a.txt', '+a'), context);
  expect(result).toEqual({ success: false, output: expect.stringContaining('use the docs folder') });
  expect(story.map(({ type }) => type)).toEqual(['item.started', 'asked', 'item.completed']);
  expect(story.at(-1)).toMatchObject({ item: { status: 'declined' } });
  expect(await readdir(cwd)).toEqual([]);
});

test('a patch that nobody may be asked about is refused with the settings', async () => {
  const { context, story } = scene(allow, { approval: 'never' });
  const result = await applyPatch.freeform.call(patch('*** Add File: a.txt', '+a'), context);
  expect(result).toEqual({ success: false, output: expect.stringContaining('approval_policy = "never"') });
  expect(story.map(({ type }) => type)).toEqual(['item.started', 'item.completed']);
  expect(story.at(-1)).toMatchObject({ item: { status: 'declined', error: result.output } });
  expect(await readdir(cwd)).toEqual([]);
});

test('with full access and "never" a patch is written unasked', async () => {
  const { context, story } = scene(allow, {
    approval: 'never',
    sandbox: 'danger-full-access',
    unattended: true,
  });
  expect((await applyPatch.freeform.call(patch('*** Add File: a.txt', '+a'), context)).success).toBe(true);
  expect(story.map(({ type }) => type)).toEqual(['item.started', 'begun', 'item.completed']);
});

test('a file that changed while the person was asked is not overwritten', async () => {
  await writeFile(at('a.txt'), 'one\n');
  const { context, story } = scene(async () => {
    await writeFile(at('a.txt'), 'someone else\n');
    return { allowed: true, scope: 'once' };
  });
  const result = await applyPatch.freeform.call(patch('*** Update File: a.txt', '-one', '+two'), context);
  expect(result).toEqual({ success: false, output: expect.stringContaining(`${at('a.txt')} has changed`) });
  expect(story.at(-1)).toMatchObject({ item: { status: 'failed' } });
  expect(await text('a.txt')).toBe('someone else\n');
});

test.each(['before', 'after'])(
  'an interruption %s the answer ends the item, writes nothing and passes on',
  async (when) => {
    const { context, story, stop } = scene(async () => {
      stop.abort(new Error('stopped'));
      if (when === 'before') throw stop.signal.reason;
      return allow();
    });
    await expect(applyPatch.freeform.call(patch('*** Add File: a.txt', '+a'), context)).rejects.toThrow(
      'stopped',
    );
    expect(story.at(-1)).toMatchObject({ type: 'item.completed', item: { status: 'interrupted' } });
    expect(await readdir(cwd)).toEqual([]);
  },
);

test('O-A7: what leaves the working directory is asked about by its resolved path', async () => {
  const outside = join(parent, 'outside');
  await mkdir(outside);
  await symlink(outside, at('link'));
  const asked: unknown[] = [];
  const { context } = scene(async (approval) => {
    asked.push(approval.changes?.map(({ path }) => path));
    return { allowed: false };
  });
  const leaving = ['../escape.txt', 'a/../../escape.txt', join(outside, 'abs.txt'), 'link/through.txt'];
  for (const path of leaving) await applyPatch.freeform.call(patch(`*** Add File: ${path}`, '+x'), context);
  expect(asked).toEqual([
    [join(parent, 'escape.txt')],
    [join(parent, 'escape.txt')],
    [join(outside, 'abs.txt')],
    [join(outside, 'through.txt')],
  ]);
  expect((await readdir(parent, { recursive: true })).sort()).toEqual(['outside', 'w', 'w/link']);
});

/** As on a machine that confines. */
const held = (grants: Grants): Confinement => ({
  ...{ mode: 'workspace-write', network: false, unixSockets: false },
  ...{ roots: [cwd], write: grants.write ?? [], hidden: [join(parent, 'state')], readable: [] },
});

test('O-A7: where commands are confined, only what leaves the roots is asked, with where it leads', async () => {
  confinement = held;
  await mkdir(join(parent, 'outside'));
  await symlink(join(parent, 'outside'), at('link'));
  const { context, story } = scene(async () => ({ allowed: false }), { confined: true });
  await applyPatch.freeform.call(
    patch('*** Add File: in.txt', '+x', '*** Add File: link/out.txt', '+x'),
    context,
  );
  expect(story.filter(({ type }) => type === 'asked')).toMatchObject([
    { approval: { sandbox: 'workspace-write', grants: { write: [join(parent, 'outside/out.txt')] } } },
  ]);
  expect(await readdir(cwd)).toEqual(['link']);
});

test('where nobody may be asked, the path that may not be written is named', async () => {
  confinement = held;
  const { context } = scene(allow, { confined: true, approval: 'never' });
  const { output } = await applyPatch.freeform.call(patch('*** Add File: ../out.txt', '+x'), context);
  expect(output).toContain(`${join(parent, 'out.txt')} may not be written`);
});

test("nobody is asked for the server's own places", async () => {
  confinement = (grants) => ({ ...held(grants), hidden: [] });
  await mkdir(join(parent, 'state'));
  const { context, story } = scene(allow, { confined: true });
  const { output } = await applyPatch.freeform.call(patch('*** Add File: ../state/x', '+x'), context);
  expect(output).toContain('cannot be allowed by anybody');
  expect(story.map(({ type }) => type)).toEqual(['item.started', 'item.completed']);
});

test('what is hidden is found out once for all files', async () => {
  const { context } = scene(allow);
  const hiding = vi.spyOn(context.holding, 'hiding');
  const files = Array.from({ length: 3 }, (_, n) => [`*** Add File: new${n}`, '+x']);
  expect((await applyPatch.freeform.call(patch(...files.flat()), context)).success).toBe(true);
  expect(hiding).toHaveBeenCalledTimes(1);
});

test('of what is hidden a patch learns nothing: neither whether it is there nor what it holds', async () => {
  confinement = held;
  await mkdir(join(parent, 'state'));
  await writeFile(join(parent, 'state/key'), 'secret\n');
  const { context, story } = scene(allow, { confined: true });
  const outputs = [];
  for (const change of [
    ['*** Update File: ../state/key', '-secret', '+x'],
    ['*** Update File: ../state/key', '-other', '+x'],
    ['*** Add File: ../state/key', '+x'],
    ['*** Add File: ../state/nothing', '+x'],
  ])
    outputs.push((await applyPatch.freeform.call(patch(...change), context)).output);
  expect(new Set(outputs.map((output) => String(output).replace(/state\/\w+/, 'state/…'))).size).toBe(1);
  expect(outputs[0]).toContain('it is hidden from this session');
  expect(story.filter(({ type }) => type === 'asked')).toEqual([]);
});

test('O-A7: paths inside work in every form, folders are created', async () => {
  const { context } = scene(allow);
  for (const path of ['./in.txt', at('abs-inside.txt'), 'new/deep/dir/f.txt'])
    expect((await applyPatch.freeform.call(patch(`*** Add File: ${path}`, '+x'), context)).success).toBe(
      true,
    );
  expect([await text('in.txt'), await text('abs-inside.txt'), await text('new/deep/dir/f.txt')]).toEqual([
    'x\n',
    'x\n',
    'x\n',
  ]);
});

test('paths start from the folder the caller names, which must exist', async () => {
  const { context } = scene(allow);
  await mkdir(at('sub'));
  expect((await runPatch(patch('*** Add File: a.txt', '+a'), at('sub'), context)).success).toBe(true);
  expect(await text('sub/a.txt')).toBe('a\n');
  const missing = await runPatch(patch('*** Add File: a.txt', '+a'), at('nowhere'), context);
  expect(missing.output).toContain(`${at('nowhere')}: there is no such folder`);
});

test('whoever is asked gets the whole change, the conversation its beginning', async () => {
  const { context, story } = scene(allow);
  const lines = Array.from({ length: 1000 }, () => `+${'x'.repeat(99)}`);
  const { success } = await applyPatch.freeform.call(patch('*** Add File: f', ...lines, '+evil'), context);
  expect(success).toBe(true);
  const [started, asked] = story;
  const cut = expect.stringMatching(/\n\\ \d+ more lines$/);
  expect(started).toMatchObject({ item: { changes: [{ diff: cut }] } });
  expect(asked?.type === 'asked' && asked.approval.changes?.[0]?.diff.endsWith('\n+evil')).toBe(true);
});

test('nobody is asked about more than can be shown, and it is not written', async () => {
  await writeFile(at('f'), `${'y'.repeat(700)}\n`.repeat(2000));
  const { context, story } = scene(allow);
  const { output, success } = await applyPatch.freeform.call(patch('*** Delete File: f'), context);
  expect([success, output]).toEqual([false, expect.stringContaining('more than can be shown')]);
  expect(story.map(({ type }) => type)).toEqual(['item.started', 'item.completed']);
  expect(await readdir(cwd)).toEqual(['f']);
});

test('what is only named is allowed for no session', async () => {
  await writeFile(at('f'), Buffer.from([0, 0, 0, 255]));
  const { context } = scene(allow);
  const grants: unknown[] = [];
  context.ask.approve = async (_, keys) => {
    grants.push(keys);
    return allow();
  };
  await applyPatch.freeform.call(patch('*** Delete File: f'), context);
  await applyPatch.freeform.call(patch('*** Add File: f', '+x'), context);
  expect(grants).toEqual([[], [expect.any(String)]]);
});

test.each(['freeform', 'function'] as const)('as %s it takes a patch in either form', async (style) => {
  const { context } = scene(allow);
  for (const [name, form] of [
    ['free.txt', (input: string) => input],
    ['argument.txt', (input: string) => JSON.stringify({ input })],
  ] as const) {
    const result = await applyPatch[style].call(form(patch(`*** Add File: ${name}`, '+a')), context);
    expect(result).toMatchObject({ success: true });
    expect(await text(name)).toBe('a\n');
  }
});

test.each(['{}', '{"patch":"*** Begin Patch"}', '{"input":7}', '{"input'])(
  'as a function it says what is wrong with %s',
  async (raw) => {
    const { context } = scene(allow);
    const { output, success } = await applyPatch.function.call(raw, context);
    expect(success).toBe(false);
    expect(output).toMatch(/input|JSON/);
  },
);
