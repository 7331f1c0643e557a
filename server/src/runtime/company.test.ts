/** Somebody else works where a session does (Q61). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOf } from '../base/response-items.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
beforeEach(async () => {
  const permissions = { sandbox: 'danger-full-access', approval: 'never', network: false } as const;
  box = await openTestBox({ permissions, unattended: true });
  mkdirSync(join(box.workDir, '.git'));
  switchTo('main');
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

/** As `git switch` does. */
function switchTo(branch: string): void {
  writeFileSync(join(box.workDir, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
}

async function open(...answers: ScriptedAnswer[]) {
  const model = new ScriptedModel(...answers);
  const session = await box.load(await box.create(), model);
  return { model, session, watcher: new Watcher(session) };
}

/** Happens while the model answers. */
function meanwhile(happens: () => void, answer: ScriptedAnswer): ScriptedAnswer {
  return async function* (...args) {
    happens();
    yield* answer(...args);
  };
}

const warnings = ({ items }: SessionState) =>
  items
    .filter((item): item is Notice => item.type === 'notice' && item.level === 'warning')
    .map(({ code, text }) => `${code}: ${text}`);
const plan = () => calls('update_plan', { plan: [{ step: 'one', status: 'in_progress' }] });
const developerTexts = (model: ScriptedModel, n: number) =>
  model.requests[n]?.input.flatMap((item) =>
    item.type === 'message' && item.role === 'developer' ? [textOf(item)] : [],
  );

test('a branch that somebody else switches is told to people, and to the model before it goes on', async () => {
  const { model, session, watcher } = await open(
    meanwhile(() => switchTo('fix'), says('', plan())),
    says('', plan()),
    says('Done.'),
  );
  await session.submit(message('go'), null);
  const state = await watcher.idle();
  expect(warnings(state)).toEqual([
    'session.branch: The git branch was switched from main to fix while the agent works here. The agent is told.',
  ]);
  const [first, second, third] = [0, 1, 2].map((n) => developerTexts(model, n)?.join('\n'));
  expect(first).not.toContain('<branch_switched');
  expect(second).toContain('<branch_switched from="main" to="fix">');
  // once: it is part of the conversation now
  expect(third?.match(/<branch_switched/g)).toHaveLength(1);
  await session.unload('close');
});

test('also while the agent waits for a person', async () => {
  const questions = [
    { id: 'q', header: 'Q', question: 'Which?', options: [{ label: 'a', description: 'b' }] },
  ];
  const { model, session, watcher } = await open(
    says('', calls('request_user_input', { questions })),
    says('Done.'),
  );
  await session.submit(message('go'), null);
  const [ask] = (await watcher.until(({ asks }) => asks.length > 0)).asks;
  switchTo('fix');
  await session.answer(ask?.id ?? '', { answers: { q: ['a'] } }, null);
  expect(warnings(await watcher.idle())).toHaveLength(1);
  expect(developerTexts(model, 1)?.join()).toContain('<branch_switched from="main" to="fix">');
  await session.unload('close');
});

test('what the turn’s own commands switch, and what is switched between turns, is no news', async () => {
  const switches = calls('exec_command', { cmd: 'echo "ref: refs/heads/fix" > .git/HEAD' });
  const { model, session, watcher } = await open(says('', switches, plan()), says('Done.'), says('', plan()));
  await session.submit(message('go'), null);
  await watcher.idle();
  switchTo('main');
  await session.submit(message('again'), null);
  await watcher.until((state) => state.turn === null && model.requests.length === 4);
  expect(warnings(await watcher.idle())).toEqual([]);
  expect(developerTexts(model, 3)?.join()).not.toContain('<branch_switched');
  await session.unload('close');
});

test('two sessions that work in one directory at the same time are told so, once', async () => {
  const one = await open(hangsAfter('working'));
  await one.session.change({ title: 'The first' }, null);
  const other = await open(says('Hello.'), says('Hello again.'));
  await other.session.submit(message('before the first works'), null);
  expect(warnings(await other.watcher.idle())).toEqual([]);

  await one.session.submit(message('go'), null);
  await one.watcher.until(({ items }) => items.some(({ type }) => type === 'agentMessage'));
  await other.session.submit(message('hi'), null);
  expect(warnings(await other.watcher.idle())).toEqual([
    'session.sharedDirectory: The session “The first” works in this directory at the same time: each finds changed what the other changes.',
  ]);
  await one.watcher.until((state) => warnings(state).length > 0);
  await other.session.submit(message('and again'), null);
  expect(warnings(await other.watcher.idle())).toHaveLength(1);
  await one.session.interrupt(null);
  expect(warnings(await one.watcher.idle())).toHaveLength(1);
  await Promise.all([one.session.unload('close'), other.session.unload('close')]);
});

test('one that only waits for a person is no company until it goes on', async () => {
  const questions = [
    { id: 'q', header: 'Q', question: 'Which?', options: [{ label: 'a', description: 'b' }] },
  ];
  const one = await open(says('', calls('request_user_input', { questions })), says('Done.'));
  const other = await open(says('Hello.'), hangsAfter('working'));
  await one.session.submit(message('go'), null);
  const [ask] = (await one.watcher.until(({ asks }) => asks.length > 0)).asks;
  await other.session.submit(message('hi'), null);
  expect(warnings(await other.watcher.idle())).toEqual([]);

  await other.session.submit(message('work'), null);
  await other.watcher.until(({ items }) => items.some((item) => 'text' in item && item.text === 'working'));
  expect(other.watcher.state && warnings(other.watcher.state)).toEqual([]);
  await one.session.answer(ask?.id ?? '', { answers: { q: ['a'] } }, null);
  expect(warnings(await one.watcher.idle())).toHaveLength(1);
  await other.watcher.until((state) => warnings(state).length === 1);
  await Promise.all([one.session.unload('close'), other.session.unload('close')]);
});
