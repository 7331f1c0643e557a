import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item, Notice } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOf } from '../../base/response-items.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../../model/scripted-model.ts';
import { message, openTestBox, type TestBox, Watcher } from '../test-session.ts';

let box: TestBox;
beforeEach(async () => {
  // nothing confines here, so that every command asks first
  box = await openTestBox();
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

const file = () => join(box.workDir, 'TURN_HOOK.md');
const notices = (items: readonly Item[]) => items.filter((item): item is Notice => item.type === 'notice');
const ended = (code: string) => (state: { items: readonly Item[] }) =>
  notices(state.items).some((item) => item.code === code);

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const model = new ScriptedModel(...answers);
  const session = await box.load(id, model);
  return { id, model, session, watcher: new Watcher(session) };
}
/** The words of all messages and outputs of a request, but for the context. */
const words = (model: ScriptedModel, n: number) =>
  (model.requests[n]?.input ?? []).slice(2).flatMap((item) => {
    if (item.type === 'message') return [`${item.role}: ${textOf(item)}`];
    return 'output' in item ? [`output: ${item.output}`] : [];
  });

test('after a completed turn its text is carried out on a copy, of which only the outcome is shown', async () => {
  await writeFile(file(), 'Tell the team.\n');
  const { id, model, session, watcher } = await open(
    says('Done.'),
    says('', calls('exec_command', { cmd: 'touch told' })),
    says('I could not tell them.'),
    says('Next.'),
  );
  await session.submit(message('do it'), null);
  const { items } = await watcher.until(ended('turn-hook.done'));
  expect(items.map(({ type }) => type)).toEqual(['userMessage', 'agentMessage', 'notice']);
  expect(items[2]).toMatchObject({
    ...{ level: 'info', status: 'completed', code: 'turn-hook.done', turnId: null },
    details: { message: 'I could not tell them.' },
  });
  expect(words(model, 1)).toEqual([
    ...[
      'user: do it',
      'assistant: Done.',
      expect.stringMatching(/^developer: <turn_hook>/),
      'user: Tell the team.\n',
    ],
  ]);
  // nobody was asked: what would have is refused
  expect(words(model, 2).at(-1)).toMatch(/^output: This command was declined.*nobody is here/);
  await expect(readFile(join(box.workDir, 'told'))).rejects.toThrow('ENOENT');
  expect(watcher.events.filter(({ type }) => type === 'ask.opened')).toEqual([]);
  expect(watcher.state?.usage?.total.totalTokens).toBe(45);

  await rm(file());
  await session.submit(message('and now'), null);
  await watcher.idle();
  expect(words(model, 3)).toEqual(['user: do it', 'assistant: Done.', 'user: and now']);
  expect(model.requests).toHaveLength(4);
  await session.unload('shutdown');
  const again = await box.load(id, new ScriptedModel());
  expect(again.snapshot().state.items.map(({ type }) => type)).toEqual([
    ...['userMessage', 'agentMessage', 'notice', 'userMessage', 'agentMessage'],
  ]);
  await again.unload('shutdown');
});

test('what it has run is told, without a rule that would let it out of the sandbox', async () => {
  await mkdir(join(box.dir, 'codex', 'rules'), { recursive: true });
  await writeFile(
    join(box.dir, 'codex', 'rules', 'a.rules'),
    'prefix_rule(pattern=["touch"], decision="allow")\n',
  );
  await writeFile(file(), 'Tell the team.\n');
  const touch = calls('exec_command', { cmd: 'touch told' });
  const { model, session, watcher } = await open(
    says('', calls('exec_command', { cmd: 'touch ours' })),
    says('Done.'),
    says('', touch),
    says('Not told.'),
  );
  await session.submit(message('do it'), null);
  await watcher.until(ended('turn-hook.done'));
  await readFile(join(box.workDir, 'ours'));
  expect(words(model, 3).at(-1)).toMatch(/nobody is here/);
  await expect(readFile(join(box.workDir, 'told'))).rejects.toThrow('ENOENT');
  await session.unload('close');

  await box.remove();
  const permissions = { approval: 'never', sandbox: 'danger-full-access', network: true } as const;
  box = await openTestBox({ permissions, unattended: true });
  await writeFile(file(), 'Tell the team.\n');
  const free = await open(says('Done.'), says('', touch), says('Told.'));
  await free.session.submit(message('do it'), null);
  const { items } = await free.watcher.until(ended('turn-hook.done'));
  expect(notices(items)[0]?.details).toEqual({ message: 'Told.', done: 'touch told' });
  await free.session.unload('close');
});

test('it holds up nobody who writes, is listed while it runs, and ends with a stop', async () => {
  await writeFile(file(), 'Think about it.');
  const thinks: ScriptedAnswer = (request, signal) => {
    const last = request.input.at(-1);
    const said = last?.type === 'message' ? textOf(last) : '';
    return said === 'Think about it.'
      ? hangsAfter('Hm')(request, signal)
      : says(`To ${said}.`)(request, signal);
  };
  const { session, watcher } = await open(...Array<ScriptedAnswer>(5).fill(thinks));
  const answered = (text: string) =>
    watcher.until(
      ({ items, status }) =>
        status === 'sleeping' && items.some((item) => item.type === 'agentMessage' && item.text === text),
    );
  await session.submit(message('one'), null);
  const { background } = await answered('To one.');
  expect(background).toMatchObject([{ command: 'TURN_HOOK.md', processId: 'turn-hook' }]);
  await session.submit(message('two'), null);
  await answered('To two.');
  // that of the second turn waits for its place, and goes with the stop
  await session.stopCommand('turn-hook', 'Mei');
  const stopped = await watcher.until(({ status }) => status === 'idle');
  expect(stopped.background).toEqual([]);
  expect(notices(stopped.items).map(({ text }) => text)).toEqual(['TURN_HOOK.md was stopped by Mei.']);

  await session.submit(message('three'), null);
  await answered('To three.');
  await session.unload('close');
});

test('neither a turn that was stopped nor one that failed has a hook, and a blank file is none', async () => {
  await writeFile(file(), 'Celebrate.');
  const { model, session, watcher } = await open(hangsAfter('Working'), says('Done.'));
  await session.submit(message('one'), null);
  await watcher.until(({ items }) => items.length === 2);
  await session.interrupt(null);
  await watcher.idle();
  await writeFile(file(), ' \n\t\n');
  await session.submit(message('two'), null);
  await watcher.until(({ status, items }) => status === 'idle' && items.length === 5);
  await session.unload('close');
  expect(model.requests).toHaveLength(2);
});

test.each([
  ['a pipe', () => execFileSync('mkfifo', [file()]), 'it is no regular file'],
  ['a directory', () => execFileSync('mkdir', [file()]), 'it is no regular file'],
  ['100 MB', () => execFileSync('truncate', ['-s', '100M', file()]), 'it is larger than 64 KiB'],
  ['a link to what others may not read', () => symlink('/etc/shadow', file()), 'it is a link'],
])('%s in its place is told once, and not read', async (_what, make, reason) => {
  await make();
  const { model, session, watcher } = await open(says('One.'), says('Two.'));
  await session.submit(message('one'), null);
  const { items } = await watcher.until(ended('turn-hook.unusable'));
  expect(notices(items)).toMatchObject([{ level: 'warning', details: { reason } }]);
  await session.submit(message('two'), null);
  await watcher.idle();
  await session.unload('close');
  expect(notices(watcher.state?.items ?? [])).toHaveLength(1);
  expect(model.requests).toHaveLength(2);
});

test('a hook that fails is a warning, and the session goes on', async () => {
  await writeFile(file(), 'Ask me.');
  const { session, watcher } = await open(
    says('Done.'),
    // biome-ignore lint/correctness/useYield: it fails before it says anything
    async function* () {
      throw new Error('no way');
    },
    says('Still here.'),
  );
  await session.submit(message('one'), null);
  const { items } = await watcher.until(ended('turn-hook.failed'));
  expect(notices(items).at(-1)).toMatchObject({ level: 'warning', details: { code: 'internal' } });
  expect((await watcher.until(({ status }) => status === 'idle')).canContinue).toBe(false);
  await session.unload('close');
});
