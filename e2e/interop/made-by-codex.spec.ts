/** Sessions that Codex began, in each way it has: they are read here, go on here, and then in Codex again. */
import { readFile, utimes } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { answered, notices, said } from '../support/conversation.ts';
import { runExec } from '../support/exec-command.ts';
import type { FakeModel } from '../support/fake-model.ts';
import type { Codex, CodexApp } from './codex.ts';
import { type Stage, test, told } from './stage.ts';

type Origin = {
  id: string;
  /** What people see that was said and answered, and what the model is to be told. */
  said: string[];
  answered: string[];
  told: unknown[];
  /** Threads whose files it builds on, one of each. */
  parents: string[];
};

const FIRST = [
  ...['user: list it', 'assistant: First a command.', 'call of exec_command'],
  ...['output of exec_command: from-a-command', 'assistant: It is listed.'],
];

/** Of one turn with a command. */
function answerFirst(model: FakeModel): void {
  const call = { call: 'exec_command', args: { cmd: 'echo from-a-command' } };
  model.answer([{ text: 'First a command.' }, call], [{ text: 'It is listed.' }]);
}

async function begunInApp(app: CodexApp, model: FakeModel): Promise<string> {
  answerFirst(model);
  const id = await app.thread('thread/start', {});
  await app.turn(id, 'list it');
  return id;
}

async function revertedInApp(app: CodexApp, model: FakeModel): Promise<Origin> {
  const id = await begunInApp(app, model);
  model.answer([{ text: 'Taken back.' }], [{ text: 'Said instead.' }]);
  const beforeTurnId = await app.turn(id, 'what is taken back');
  await app.call('thread/revert', { threadId: id, beforeTurnId });
  await app.turn(id, 'what is said instead');
  return {
    ...{ id, parents: [id] },
    said: ['list it', 'what is said instead'],
    answered: ['First a command.', 'It is listed.', 'Said instead.'],
    told: [...FIRST, 'user: what is said instead', 'assistant: Said instead.'],
  };
}

/** As `codex exec` makes and resumes them. */
const inExec: Record<string, (codex: Codex, model: FakeModel) => Promise<Origin>> = {
  'codex exec': async (codex, model) => {
    answerFirst(model);
    const id = await codex.thread('list it');
    return {
      ...{ id, parents: [] },
      said: ['list it'],
      answered: ['First a command.', 'It is listed.'],
      told: FIRST,
    };
  },

  'codex exec fork': async (codex, model) => {
    answerFirst(model);
    const parent = await codex.thread('list it');
    model.answer([{ text: 'In the fork.' }]);
    return {
      id: await codex.thread('fork', parent, 'and in a fork?'),
      parents: [parent],
      said: ['list it', 'and in a fork?'],
      answered: ['First a command.', 'It is listed.', 'In the fork.'],
      told: [...FIRST, 'user: and in a fork?', 'assistant: In the fork.'],
    };
  },
};

/** As apps over `codex app-server` do. */
const inApp: Record<string, (app: CodexApp, model: FakeModel) => Promise<Origin>> = {
  'a fork of a fork, each from the middle': async (app, model) => {
    const parent = await begunInApp(app, model);
    model.answer([{ text: 'Left out.' }], [{ text: 'In the fork.' }], [{ text: 'Left out.' }]);
    const beforeTurnId = await app.turn(parent, 'what only the parent has');
    const fork = await app.thread('thread/fork', { threadId: parent, beforeTurnId });
    await app.turn(fork, 'and in a fork?');
    const next = await app.turn(fork, 'what only the fork has');
    const id = await app.thread('thread/fork', { threadId: fork, beforeTurnId: next });
    model.answer([{ text: 'In its fork.' }]);
    await app.turn(id, 'and in its fork?');
    return {
      ...{ id, parents: [parent, fork] },
      said: ['list it', 'and in a fork?', 'and in its fork?'],
      answered: ['First a command.', 'It is listed.', 'In the fork.', 'In its fork.'],
      told: [
        ...[...FIRST, 'user: and in a fork?', 'assistant: In the fork.'],
        ...['user: and in its fork?', 'assistant: In its fork.'],
      ],
    };
  },

  'a reverted thread': revertedInApp,

  'a thread that Codex has summed up': async (app, model) => {
    const id = await begunInApp(app, model);
    model.answer([{ text: 'All in short.' }], [{ text: 'After it.' }]);
    await app.compact(id);
    await app.turn(id, 'and now?');
    return {
      ...{ id, parents: [] },
      said: ['list it', 'and now?'],
      answered: ['First a command.', 'It is listed.', 'After it.'],
      told: [
        ...['user: list it', expect.stringMatching(/^user: [\s\S]*All in short\.$/)],
        ...['user: and now?', 'assistant: After it.'],
      ],
    };
  },
};

for (const [name, make] of Object.entries(inExec))
  test(`${name}: read here, gone on with here, and in Codex again`, async ({ codex, model, serve }) => {
    await expectToGoOn({ codex, model, serve }, await make(codex, model), async (id, text) => {
      expect(await codex.thread('resume', id, text)).toBe(id);
    });
  });

for (const [name, make] of Object.entries(inApp))
  test(`${name}: read here, gone on with here, and in Codex again`, async ({ codex, model, serve }) => {
    const origin = await codex.withApp((app) => make(app, model));
    await expectToGoOn({ codex, model, serve }, origin, (id, text) =>
      codex.withApp(async (app) => {
        await app.thread('thread/resume', { threadId: id });
        await app.turn(id, text);
        expect(await shownIn(app, id)).toEqual([...origin.said, 'a message here', text]);
      }),
    );
  });

test('a reverted thread: tscodex exec goes on where Codex left it, even when the old file was written last', async ({
  box,
  codex,
  model,
}) => {
  const { id, told: before } = await codex.withApp((app) => revertedInApp(app, model));
  const [old = '', newest = ''] = await codex.filesOf(id);
  await utimes(newest, 1, 1);
  const [oldBefore, newestBefore] = [await readFile(old, 'utf8'), await readFile(newest, 'utf8')];
  model.answer([{ text: 'By id.' }], [{ text: 'The last.' }]);
  expect(await runExec(box, ['resume', id, 'from exec'])).toMatchObject({ code: 0, stdout: 'By id.\n' });
  expect(await runExec(box, ['resume', '--last', 'once more'])).toMatchObject({ code: 0 });
  const here = [...before, 'user: from exec', 'assistant: By id.', 'user: once more'];
  expect(told(model.requests.at(-1))).toEqual(here);
  expect(await readFile(old, 'utf8')).toBe(oldBefore);
  expect((await readFile(newest, 'utf8')).startsWith(newestBefore)).toBe(true);

  model.answer([{ text: 'Back in Codex.' }]);
  await codex.thread('resume', id, 'a message in Codex');
  expect(told(model.requests.at(-1))).toEqual([...here, 'assistant: The last.', 'user: a message in Codex']);
});

/** `resume` has Codex answer one more message. */
async function expectToGoOn(
  { codex, model, serve }: Pick<Stage, 'codex' | 'model' | 'serve'>,
  { id, parents, ...origin }: Origin,
  resume: (id: string, text: string) => Promise<void>,
): Promise<void> {
  const path = (await codex.filesOf(id)).at(-1) ?? '';
  const paths = (await Promise.all(parents.map((parent) => codex.filesOf(parent)))).flat();
  const built = () => Promise.all(paths.filter((one) => one !== path).map((one) => readFile(one, 'utf8')));
  const [before, parentsBefore] = [await readFile(path, 'utf8'), await built()];
  expect(parentsBefore).toHaveLength(parents.length);

  const server = await serve(path);
  const found = await server.state(id);
  expect(said(found)).toEqual(origin.said);
  expect(answered(found)).toEqual(origin.answered);
  expect(found.items).toContainEqual(
    expect.objectContaining({ type: 'commandExecution', status: 'completed', output: 'from-a-command\n' }),
  );
  expect(notices(found)).toEqual([]);

  const call = { call: 'exec_command', args: { cmd: 'echo from-here' } };
  model.answer([{ text: 'Another command.' }, call], [{ text: 'Done here.' }]);
  await server.send(id, 'a message here');
  await server.until(id, (state) => answered(state).includes('Done here.'));
  await server.idle(id);
  const here = [
    ...['user: a message here', 'assistant: Another command.', 'call of exec_command'],
    ...['output of exec_command: from-here', 'assistant: Done here.'],
  ];
  expect(told(model.requests.at(-1))).toEqual([...origin.told, ...here.slice(0, -1)]);
  expect(await server.kill('SIGTERM')).toBe(0);
  const after = await readFile(path, 'utf8');
  expect(after.startsWith(before)).toBe(true);

  model.answer([{ text: 'Back in Codex.' }]);
  await resume(id, 'a message in Codex');
  expect(told(model.requests.at(-1))).toEqual([...origin.told, ...here, 'user: a message in Codex']);
  const whole = await readFile(path, 'utf8');
  expect(whole.startsWith(after)).toBe(true);
  const records = whole.trimEnd().split('\n');
  const ordinals = records.map((line) => (JSON.parse(line) as { ordinal: number }).ordinal);
  expect(ordinals).toEqual(ordinals.map((_, at) => (ordinals[0] ?? 0) + at));
  expect(await built()).toEqual(parentsBefore);

  const end = await (await serve()).state(id);
  expect(said(end)).toEqual([...origin.said, 'a message here', 'a message in Codex']);
  expect(answered(end).slice(-3)).toEqual(['Another command.', 'Done here.', 'Back in Codex.']);
}

/** What people said, as an app shows it. */
async function shownIn(app: CodexApp, threadId: string): Promise<string[]> {
  const { thread } = await app.call('thread/read', { threadId, includeTurns: true });
  const { turns } = thread as { turns: { items: { type: string; content: { text: string }[] }[] }[] };
  return turns.flatMap(({ items }) =>
    items.flatMap(({ type, content }) => (type === 'userMessage' ? content.map(({ text }) => text) : [])),
  );
}
