// @vitest-environment happy-dom
import type { Approval, Ask } from '@tscodex/shared/asks';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/http.ts';
import { button, click, mount, press, query, server, session, type } from '../conversation/testing.ts';
import { RulesContext } from '../rules/rules-context.ts';
import { Asks } from './asks.tsx';

const CHOICES = ['once', 'session', 'decline', 'rule', 'stop'] as const;
const command: Approval = {
  what: 'command',
  command: 'npm run dev -- --port 3000',
  cwd: '/srv/lab',
  sandbox: 'none',
  grants: { unconfined: true },
  rule: ['npm', 'run', 'dev'],
};
const asking = (approval: Approval, choices: readonly (typeof CHOICES)[number][] = CHOICES): Ask => ({
  id: 'a1',
  sessionId: 's1',
  turnId: 't',
  openedAt: '2026-01-01T00:00:00.000Z',
  kind: 'approval',
  approval,
  choices: choices.map((id) => ({ id, label: id })),
});

let unmount: () => void = () => undefined;
const openRules = vi.fn<() => void>();
function show(ask: Ask, actions = server(), confined = true) {
  const view = (asks: Ask[]) => (
    <RulesContext value={openRules}>
      <Asks state={session({ asks, confined })} actions={actions} onLast={() => undefined} />
    </RulesContext>
  );
  const mounted = mount(view([ask]));
  unmount = mounted.unmount;
  return { actions, close: () => mounted.render(view([])) };
}
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  unmount();
  vi.useRealTimers();
  vi.clearAllMocks();
});

const words = () => query('form')?.textContent ?? '';
const rule = () => query<HTMLInputElement>('form input[type="text"]') as HTMLInputElement;

test('what is dangerous, and what does not hold it, is said before the command', () => {
  show(asking({ ...command, risk: 'delete' }));
  const said = words();
  for (const part of ['It deletes by force', 'Outside the sandbox'])
    expect(said.indexOf(part)).toBeLessThan(said.indexOf('npm run dev -- --port'));
});

test('it says which rule asks, and in what words', () => {
  const because = { pattern: ['npm', ['ci', 'install']], justification: 'It runs scripts of others.' };
  show(asking({ ...command, because }));
  expect(words()).toContain('A rule asks about npm (ci|install): It runs scripts of others.');
});

test('where no rule is offered it says why', () => {
  const { rule: _, ...ruleless } = command;
  show(asking({ ...ruleless, noRule: 'several' }, ['once', 'session', 'decline', 'stop']));
  expect(words()).toContain('No rule can be offered: it runs several programs that no single rule covers.');
});

test('it says what it may do beyond the sandbox, and what holds it otherwise', () => {
  show(asking(command));
  for (const part of ['outside the sandbox?', 'Outside the sandbox', 'otherwise held in: workspace-write'])
    expect(words()).toContain(part);
  unmount();
  const grants = {
    network: true,
    read: ['/home/ada/.config'],
    write: ['/srv/lab/out', '/srv/other'],
  } as const;
  show(
    asking({
      ...command,
      sandbox: 'workspace-write',
      grants: { ...grants, read: [...grants.read], write: [...grants.write] },
    }),
  );
  expect([...document.querySelectorAll('form li')].map((line) => line.textContent)).toEqual([
    'use the network ',
    'write /srv/lab/out',
    'write /srv/other',
    'read /home/ada/.config',
  ]);
  expect(words()).toContain('held in: workspace-write');
  expect(words()).not.toContain('Outside the sandbox');
});

test('of a patch it says which files lie outside', () => {
  const changes = ['/srv/lab/a', '/etc/b'].map((path) => ({
    path,
    kind: 'add' as const,
    diff: '@@ -0,0 +1 @@\n+x',
  }));
  show(
    asking({ what: 'patch', sandbox: 'workspace-write', changes, grants: { write: ['/etc/b'] } }, ['once']),
  );
  expect(query('form li')?.textContent?.trim()).toBe('/etc/b');
  expect(words()).toContain('Outside of where it may write by itself');
  expect(words()).not.toContain('held in');
});

test('where nothing confines, nothing is said to be beyond the sandbox', () => {
  show(asking(command), server(), false);
  expect(words()).toContain('Run this command?');
  expect(words()).toContain('Not confined');
  expect(words()).not.toMatch(/outside the sandbox|otherwise/i);
});

test('what is dangerous about it is said plainly', () => {
  show(asking({ ...command, risk: 'delete' }, ['once', 'decline', 'stop']));
  expect(words()).toContain('It deletes by force');
});

test('the rule that it would make is on the card where it is offered', () => {
  show(asking(command));
  expect(words()).toContain('“Always allow” is for all that begins with npm run dev');
  unmount();
  show(asking(command, ['once', 'decline']));
  expect(words()).not.toContain('Always allow');
});

test('choices stand in the order they come in, with keys for four of them', () => {
  show(asking(command));
  expect([...document.querySelectorAll('form button')].map((one) => one.textContent)).toEqual([
    'Allow once1',
    'Allow for this session2',
    'Decline3',
    'Always allow…4',
    'Decline and say why…',
    'Decline and stop',
  ]);
});

test('stopping declines', async () => {
  const { actions } = show(asking(command));
  await click(button('Decline and stop'));
  expect(actions.answer.mock.calls).toEqual([['a1', { choice: 'stop' }]]);
});

test('permissions are allowed until the turn ends', () => {
  show(asking({ what: 'permissions', grants: { network: true } }, ['once', 'session', 'decline']));
  expect(words()).toContain('Grant more permissions?');
  expect(words()).toContain('use the network');
  expect(button('Allow until the turn ends1')).toBeTruthy();
});

test('key 4 opens the rule, and only Enter in it makes one, with its words as they were edited', async () => {
  vi.useFakeTimers();
  const { actions } = show(asking(command));
  act(() => void vi.advanceTimersByTime(500));
  await press(document.body, '4');
  expect(actions.answer).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(rule());
  expect(rule().value).toBe('npm run dev');
  expect(words()).toContain('“npm run” runs the code of whatever directory');
  await type(rule(), `gh pr view 'a b'`);
  expect(words()).not.toContain('runs the code');
  await press(rule(), 'Enter', { keyCode: 229 });
  expect(actions.answer).not.toHaveBeenCalled();
  await press(rule(), 'Enter');
  expect(actions.answer.mock.calls).toEqual([['a1', { choice: 'rule', rule: ['gh', 'pr', 'view', 'a b'] }]]);
});

test('no rule of no words, or of an open quote', async () => {
  const { actions } = show(asking(command));
  await click(button('Always allow…4'));
  for (const line of ['', `npm 'run`]) {
    await type(rule(), line);
    await press(rule(), 'Enter');
    expect(button('Always allow').disabled).toBe(true);
  }
  expect(actions.answer).not.toHaveBeenCalled();
});

test('a rule that the server refuses is told beside it; nothing typed is lost, and it can be mended', async () => {
  const { actions } = show(asking(command));
  actions.answer.mockRejectedValueOnce(new ApiProblem('rules.prefix', 'Too much begins with npm.', 400));
  await click(button('Always allow…4'));
  await type(rule(), 'npm');
  await press(rule(), 'Enter');
  expect(query('[role="alert"]')?.textContent).toBe('Too much begins with npm.');
  expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1);
  expect(rule().value).toBe('npm');
  expect(rule().getAttribute('aria-describedby')).toContain(query('[role="alert"]')?.id);
  // a reload keeps it
  unmount();
  const again = show(asking(command), actions);
  expect(rule().value).toBe('npm');
  await type(rule(), 'npm run');
  await press(rule(), 'Enter');
  expect(actions.answer.mock.calls.at(-1)).toEqual(['a1', { choice: 'rule', rule: ['npm', 'run'] }]);
  again.close();
  expect(sessionStorage.length).toBe(0);
});

test('any other failure stays after the form is gone', async () => {
  const { actions, close } = show(asking(command));
  actions.answer.mockRejectedValue(
    new ApiProblem('ask.ended', 'This was already answered.', 409, {
      outcome: 'answered',
      by: 'Ada',
      answer: { choice: 'rule', rule: ['npm'] },
    }),
  );
  await click(button('Always allow…4'));
  await press(rule(), 'Enter');
  close();
  expect(query('[role="alert"]')?.textContent).toContain('Already allowed for good by Ada.');
});

test('Escape goes back to the choices, and all rules are a press away', async () => {
  show(asking(command));
  await click(button('Always allow…4'));
  await click(button('All rules…'));
  expect(openRules).toHaveBeenCalledTimes(1);
  await press(rule(), 'Escape');
  expect(document.activeElement).toBe(query('form'));
  expect(button('Allow once1')).toBeTruthy();
});

test('the second half of a double click on “Always allow…” allows nothing', async () => {
  const { actions } = show(asking(command));
  await click(button('Always allow…4'));
  await act(async () => {
    button('Always allow').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  });
  expect(actions.answer).not.toHaveBeenCalled();
});

test('what a card is decided by hides nothing: command, reason, directory, paths, rule', () => {
  const sly = 'a\u202eb';
  show(
    asking({
      ...command,
      ...{ command: sly, reason: sly, cwd: `/srv/${sly}`, rule: [sly] },
      grants: { write: [`/out/${sly}`] },
    }),
  );
  expect(document.querySelectorAll('form [data-shows="U+202E"]')).toHaveLength(5);
});
