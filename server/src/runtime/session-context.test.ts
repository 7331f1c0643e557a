import { chmod, chown, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Config } from '../base/config/config.ts';
import { isToolOutput, type ResponseItem, textOf } from '../base/response-items.ts';
import { calls, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { createRuntime } from './create-runtime.ts';
import type { SessionRuntime } from './runtime.ts';
import { findSession } from './session-rows.ts';
import { message, openTestBox, SURROUNDINGS, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
let board: string | null;
let loaded: SessionRuntime[];
beforeEach(async () => {
  await openBox();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const session of loaded) await session.unload('shutdown');
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function openBox(settings: Partial<Config> = {}) {
  box = await openTestBox(settings);
  board = null;
  loaded = [];
  await write('.git/HEAD', 'ref: refs/heads/main\n');
}

/** Below the working directory, or absolute. */
async function write(path: string, content: string): Promise<void> {
  const place = path.startsWith('/') ? path : join(box.workDir, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
}
const writeSkill = (name: string, description = `does ${name}`) =>
  write(
    `.agents/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\nHow ${name} is done.`,
  );

async function load(id: string, model: ScriptedModel) {
  const row = findSession(box.db, id) ?? expect.fail();
  const workspace = () => ({ dir: box.workDir, permissions: {}, otherDirs: [] });
  const session = await createRuntime(
    row,
    { ...SURROUNDINGS, boardPath: () => board, workspace },
    box.services(model),
  );
  loaded.push(session);
  const watcher = new Watcher(session);
  const turn = async (text: string) => {
    const before = model.requests.length;
    await session.submit(message(text), null);
    return watcher.until((state) => model.requests.length > before && state.turn === null);
  };
  return { session, watcher, model, turn };
}

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  return { id, ...(await load(id, new ScriptedModel(...answers))) };
}

/** The texts of messages, each by its first line. */
function heads(items: readonly ResponseItem[]): string[] {
  return items.flatMap((item) => {
    if (item.type !== 'message') return [item.type];
    return item.content.map((part) => `${item.role}: ${'text' in part ? part.text.split('\n')[0] : '?'}`);
  });
}

test('whatever changes is told where it does: every request begins with the one before, also after a restart', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00') });
  const { id, session, model, turn } = await open(
    ...['one', 'two', 'three', 'four', 'five'].map((text) => says(text)),
  );
  await turn('first');
  await write('AGENTS.md', 'use tabs');
  await writeSkill('pdf');
  await turn('second');
  board = join(box.workDir, 'board.html');
  await session.change({ approval: 'never' }, null);
  vi.setSystemTime(new Date('2026-12-01T00:30:00'));
  await turn('third');
  await turn('fourth: nothing has changed');
  await session.unload('shutdown');
  loaded.pop();

  await write('AGENTS.md', 'use blanks');
  await rm(join(box.workDir, '.agents'), { recursive: true });
  const again = await load(id, new ScriptedModel(says('five'), says('six')));
  await again.turn('fifth');
  await rm(join(box.workDir, 'AGENTS.md'));
  await again.turn('sixth');

  const inputs = [...model.requests, ...again.model.requests].map(({ input }) => input);
  expect(
    new Set([...model.requests, ...again.model.requests].map(({ instructions }) => instructions)).size,
  ).toBe(1);
  const added = inputs.map((input, n) => {
    const before = inputs[n - 1] ?? [];
    expect(input.slice(0, before.length)).toEqual(before);
    return heads(input.slice(before.length));
  });
  expect(added).toEqual([
    ['developer: <permissions instructions>', 'user: <environment_context>', 'user: first'],
    [
      ...['assistant: one', 'developer: <skills_instructions>'],
      ...[`user: # AGENTS.md instructions for ${box.workDir}`, 'user: second'],
    ],
    [
      ...['assistant: two', 'developer: <permissions instructions>'],
      ...['user: <environment_context>', `user: <board path="${board}">`, 'user: third'],
    ],
    ['assistant: three', 'user: fourth: nothing has changed'],
    [
      ...['assistant: four', 'developer: <skills_instructions>'],
      ...[`user: # AGENTS.md instructions for ${box.workDir}`, 'user: fifth'],
    ],
    ['assistant: five', 'user: # AGENTS.md instructions', 'user: sixth'],
  ]);
  const last = inputs.at(-1) ?? [];
  expect(JSON.stringify(last.slice(-2))).toContain('does not hold any more');
});

test('a change of AGENTS.md while a turn runs is told at the next one', async () => {
  await write('AGENTS.md', 'use tabs');
  const { model, turn } = await open(
    async function* (...args: Parameters<ScriptedAnswer>) {
      await write('AGENTS.md', 'use blanks');
      yield* says('', calls('update_plan', { plan: [{ step: 'a', status: 'pending' }] }))(...args);
    },
    says('done'),
    says('yes'),
  );
  await turn('go');
  expect(model.requests[1]?.input.some(isToolOutput)).toBe(true);
  expect(JSON.stringify(model.requests[1]?.input)).not.toContain('use blanks');
  await turn('and now?');
  expect(JSON.stringify(model.requests[2]?.input)).toContain('use blanks');
});

test('a skill that a message names is read right below it, is no message of a person, and stays over a restart', async () => {
  await writeSkill('pdf');
  const { id, session, model, turn } = await open(says('done'));
  const state = await turn('make one with $pdf');
  const read = (items: readonly ResponseItem[] = []) =>
    heads(items).filter((head) => /make|skill>/.test(head));
  expect(read(model.requests[0]?.input)).toEqual(['user: make one with $pdf', 'user: <skill>']);
  const skill = model.requests[0]?.input.at(-1);
  expect(skill?.type === 'message' && textOf(skill)).toContain('How pdf is done.');
  const messages = (items: typeof state.items) =>
    items.flatMap((item) => (item.type === 'userMessage' ? [item.text] : []));
  expect(messages(state.items)).toEqual(['make one with $pdf']);
  await session.unload('shutdown');
  loaded.pop();

  const again = await load(id, new ScriptedModel(says('again')));
  const after = await again.turn('thanks');
  expect(messages(after.items)).toEqual(['make one with $pdf', 'thanks']);
  expect(again.model.requests[0]?.input.slice(0, model.requests[0]?.input.length)).toEqual(
    model.requests[0]?.input,
  );
});

test('a steer that names the skill of the running turn again does not repeat it, the next turn does', async () => {
  await writeSkill('pdf');
  const steered: ScriptedAnswer = async function* (...args) {
    await session.submit(message('and $pdf again'), null);
    yield* says('one')(...args);
  };
  const { session, model, turn } = await open(steered, says('two'), says('three'));
  await turn('$pdf');
  await turn('$pdf, once more');
  const skills = model.requests.map(
    ({ input }) => heads(input).filter((head) => head === 'user: <skill>').length,
  );
  expect(skills).toEqual([1, 1, 2]);
});

test('what cannot be read is told once, in one notice a kind, and not again after a restart', async () => {
  await symlink(box.stateDir, join(box.workDir, 'AGENTS.md'));
  for (const name of ['a', 'b']) await write(`.agents/skills/${name}/SKILL.md`, 'nothing');
  const { id, session, turn } = await open(says('one'), says('two'));
  await turn('first');
  const state = await turn('second');
  const notices = (items: typeof state.items) =>
    items.flatMap((item) => (item.type === 'notice' ? [[item.code, item.text.split(box.workDir)]] : []));
  const told = [
    [
      'context.agentsMd',
      [
        'What is written for agents here does not all reach the agent. ',
        '/AGENTS.md: it is a folder; the agent does not know it.',
      ],
    ],
    [
      'context.skills',
      [
        'Some skills cannot be used as they are. ',
        expect.stringMatching(/^\/\.agents\/skills\/a\/SKILL\.md: it does not begin .* left out\. $/),
        expect.stringMatching(/^\/\.agents\/skills\/b\/SKILL\.md: it does not begin .* left out\.$/),
      ],
    ],
  ];
  expect(notices(state.items)).toEqual(told);
  await session.unload('shutdown');
  loaded.pop();
  // fewer files are broken than before: the others are no news
  await rm(join(box.workDir, '.agents', 'skills', 'a'), { recursive: true });
  const again = await load(id, new ScriptedModel(says('three')));
  expect(notices((await again.turn('third')).items)).toEqual(told);
});

test('a file that is too long is told of once, however long it becomes', async () => {
  await write('AGENTS.md', 'x'.repeat(40_000));
  const { id, session, turn } = await open(says('one'), says('two'));
  await turn('first');
  await write('AGENTS.md', 'x'.repeat(50_000));
  const notices = (items: Awaited<ReturnType<typeof turn>>['items']) =>
    items.flatMap((item) => (item.type === 'notice' ? [item.text.match(/it has \d+ bytes/)?.[0]] : []));
  expect(notices((await turn('second')).items)).toEqual(['it has 40000 bytes']);
  await session.unload('shutdown');
  loaded.pop();
  await write('AGENTS.md', 'x'.repeat(60_000));
  const again = await load(id, new ScriptedModel(says('three')));
  expect(notices((await again.turn('third')).items)).toEqual(['it has 40000 bytes']);
});

test('a conversation that is summed up right after a restart begins anew with all that holds', async () => {
  await write('AGENTS.md', 'use tabs');
  const { id, session, turn } = await open(says('It is planned. '.repeat(1000)));
  await turn('plan it');
  await session.unload('shutdown');
  loaded.pop();

  const again = await load(id, new ScriptedModel(says('It was planned.'), says('done')));
  await again.session.submit(message('/compact'), null);
  await again.watcher.until(
    ({ turn, items }) =>
      turn === null && items.some(({ type, status }) => type === 'compaction' && status === 'completed'),
  );
  await again.turn('do it');
  const said = JSON.stringify(again.model.requests.at(-1)?.input);
  expect(said.match(/use tabs/g)).toHaveLength(1);
  expect(said).not.toContain('does not hold any more');
});

test('no file reaches the model that commands could not read', async () => {
  await write(join(box.stateDir, 'token'), 'SECRET');
  await symlink(join(box.stateDir, 'token'), join(box.workDir, 'AGENTS.md'));
  await mkdir(join(box.workDir, '.agents', 'skills', 'x'), { recursive: true });
  await write(join(box.stateDir, 'SKILL.md'), '---\nname: SECRET\ndescription: SECRET\n---\n');
  await symlink(join(box.stateDir, 'SKILL.md'), join(box.workDir, '.agents', 'skills', 'x', 'SKILL.md'));
  const { model, turn } = await open(says('one'));
  const state = await turn('hello');
  expect(JSON.stringify(model.requests)).not.toContain('SECRET');
  expect(state.items.filter((item) => item.type === 'notice')).toHaveLength(2);
});

test.runIf(process.getuid?.() === 0)(
  'in a workspace of another user nothing reaches the model that this user could not read',
  async () => {
    await chmod(box.dir, 0o755);
    await chown(box.workDir, 65_534, 65_534);
    await write('AGENTS.md', 'use tabs');
    const secret = join(box.dir, 'of-root');
    await writeFile(secret, '---\nname: SECRET\ndescription: SECRET\n---\n', { mode: 0o600 });
    await mkdir(join(box.workDir, '.agents', 'skills', 'x'), { recursive: true });
    await symlink(secret, join(box.workDir, '.agents', 'skills', 'x', 'SKILL.md'));
    const { model, turn } = await open(says('one'), says('two'));
    await turn('hello $SECRET');
    expect(JSON.stringify(model.requests)).toContain('use tabs');
    await rm(join(box.workDir, 'AGENTS.md'));
    await symlink(secret, join(box.workDir, 'AGENTS.md'));
    const state = await turn('and now?');
    expect(JSON.stringify(model.requests)).not.toMatch(/(SECRET|description): SECRET/);
    expect(JSON.stringify(model.requests[1])).toContain('does not hold any more');
    expect(state.items.filter((item) => item.type === 'notice').map(({ code }) => code)).toEqual([
      'context.skills',
      'context.agentsMd',
    ]);
  },
);

test('instructions that cannot be read end the turn with a sentence, and are read again once they are mended', async () => {
  const place = join(box.dir, 'prompt.md');
  await box.remove();
  await openBox({ instructions: { file: place } });
  const { session, watcher, model, turn } = await open(says('one'), says('two'));
  await session.submit(message('hello'), null);
  const failed = await watcher.until((state) => state.status === 'paused');
  expect(failed.items).toContainEqual(
    expect.objectContaining({
      type: 'notice',
      code: 'config.instructions',
      text: expect.stringContaining(place),
    }),
  );
  expect(failed.waiting).toHaveLength(1);
  await write(place, 'You are a parrot.');
  await session.resume(null);
  await watcher.until((state) => model.requests.length === 1 && state.turn === null);
  await write(place, 'You are a crow.');
  await turn('and now?');
  // of a loaded session they stay the same: what was sent is never another later
  expect(model.requests.map(({ instructions }) => instructions)).toEqual([
    'You are a parrot.',
    'You are a parrot.',
  ]);
});
