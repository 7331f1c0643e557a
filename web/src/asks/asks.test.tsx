// @vitest-environment happy-dom
import type { Ask } from '@tscodex/shared/asks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { button, click, mount, press, query, server, session, type } from '../conversation/testing.ts';
import { Asks } from './asks.tsx';

const about = { sessionId: 's1', turnId: 't', openedAt: '2026-01-01T00:00:00.000Z' };
const approval: Ask = {
  ...about,
  id: 'a1',
  kind: 'approval',
  approval: { what: 'command', command: 'rm -rf build', cwd: '/srv/lab', reason: 'Stale.', sandbox: 'none' },
};
const options = ['Small', 'Large'].map((label) => ({ label, description: `${label} it is` }));
const question: Ask = {
  ...about,
  id: 'q1',
  kind: 'question',
  questions: [
    { id: 'size', header: 'Size', question: 'Which size?', options, allowOther: true },
    { id: 'name', header: 'Name', question: 'Which name?', allowOther: true },
  ],
};

let unmount: () => void = () => undefined;
const show = (asks: Ask[], actions = server()) => {
  const onLast = vi.fn();
  const view = (now: Ask[]) => <Asks state={session({ asks: now })} actions={actions} onLast={onLast} />;
  const mounted = mount(view(asks));
  unmount = mounted.unmount;
  return { render: (next: Ask[]) => mounted.render(view(next)), actions, onLast };
};
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  unmount();
  vi.useRealTimers();
});

const field = (label: RegExp) =>
  [...document.querySelectorAll('textarea')].find((one) =>
    label.test(one.getAttribute('aria-label') ?? ''),
  ) as HTMLTextAreaElement;
const radio = (at: number) =>
  document.querySelectorAll<HTMLInputElement>('input[type="radio"]')[at] as HTMLElement;

test('an approval shows all there is to judge by', () => {
  show([approval]);
  const text = query('form[aria-label="Approval"]')?.textContent;
  for (const part of ['Run this command?', 'Stale.', 'rm -rf build', 'in /srv/lab', 'Not confined'])
    expect(text).toContain(part);
});

test('a confined command carries no warning', () => {
  show([{ ...approval, approval: { ...approval.approval, what: 'command', sandbox: 'workspace-write' } }]);
  expect(document.body.textContent).not.toContain('Not confined');
});

test('several asks tell how many they are', () => {
  const { render } = show([approval]);
  const heads = () => [...document.querySelectorAll('h2')].map((head) => head.textContent);
  expect(heads()).toEqual(['Run this command?']);
  render([approval, question]);
  expect(heads()).toEqual(['Run this command?1 of 2', 'Question2 of 2']);
});

test('each button gives its choice, once', async () => {
  for (const [name, choice] of [
    ['Allow once1', 'once'],
    ['Allow for this session2', 'session'],
    ['Decline3', 'decline'],
  ] as const) {
    const { actions } = show([approval]);
    await click(button(name));
    await click(button(name));
    expect(actions.answer.mock.calls).toEqual([['a1', { choice }]]);
    unmount();
  }
});

/** Lets the time pass that somebody needs to read an approval. */
const read = () => vi.advanceTimersByTime(500);

test('the keys answer the oldest approval, but not from a text field', async () => {
  vi.useFakeTimers();
  const { actions } = show([approval, { ...approval, id: 'a2' }]);
  const typing = document.body.appendChild(document.createElement('textarea'));
  read();
  await press(typing, '1');
  await press(document.body, '4');
  expect(actions.answer).not.toHaveBeenCalled();
  await press(document.body, '2');
  expect(actions.answer.mock.calls).toEqual([['a1', { choice: 'session' }]]);
});

test('a double tap or a double click does not answer the approval that comes next', async () => {
  vi.useFakeTimers();
  const next = { ...approval, id: 'a2' };
  const { actions, render } = show([approval, next]);
  await press(document.body, '2');
  expect(actions.answer).not.toHaveBeenCalled();
  read();
  await press(document.body, '2');
  render([next]);
  await press(document.body, '2');
  button('Allow once1').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  expect(actions.answer.mock.calls).toEqual([['a1', { choice: 'session' }]]);
  read();
  await press(document.body, '3');
  expect(actions.answer.mock.calls.at(-1)).toEqual(['a2', { choice: 'decline' }]);
});

test('the focus goes on to the next ask, and after the last one back to who shows them', async () => {
  const { render, onLast } = show([approval, question]);
  button('Allow once1').focus();
  await click(button('Allow once1'));
  render([question]);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Question');
  expect(onLast).not.toHaveBeenCalled();
  render([]);
  expect(onLast).toHaveBeenCalledTimes(1);
});

test('the focus stays where it was taken meanwhile', () => {
  const { render, onLast } = show([approval]);
  button('Allow once1').focus();
  const typing = document.body.appendChild(document.createElement('textarea'));
  typing.focus();
  render([]);
  expect(document.activeElement).toBe(typing);
  typing.blur();
  render([question]);
  expect(onLast).not.toHaveBeenCalled();
});

test('declining with words, safe for an input method', async () => {
  const { actions } = show([approval]);
  await click(button('Decline and say why…'));
  const why = field(/Why/);
  expect(document.activeElement).toBe(why);
  await type(why, 'ask Mei first');
  await press(why, 'Enter', { isComposing: true, keyCode: 229 });
  await press(why, 'Enter', { isComposing: false, keyCode: 229 });
  expect(actions.answer).not.toHaveBeenCalled();
  await press(why, 'Enter', { keyCode: 13 });
  expect(actions.answer.mock.calls).toEqual([['a1', { choice: 'decline', reason: 'ask Mei first' }]]);
});

test('words for a decline survive Cancel, a new render and a reload, and take the focus once (Q36)', async () => {
  const { render } = show([approval]);
  await click(button('Decline and say why…'));
  await type(field(/Why/), 'ask Mei');
  await click(button('Cancel'));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Approval');
  await click(button('Decline and say why…'));
  expect(field(/Why/).value).toBe('ask Mei');
  const typing = document.body.appendChild(document.createElement('textarea'));
  typing.focus();
  render([approval, question]);
  expect(document.activeElement).toBe(typing);
  unmount();
  show([approval]).render([approval]);
  expect(field(/Why/).value).toBe('ask Mei');
  expect(document.activeElement).toBe(document.body);
});

test('somebody else was first: the reason stays after the form is gone', async () => {
  const { render, actions } = show([approval]);
  actions.answer.mockRejectedValue(new Error('Jo answered this first.'));
  await click(button('Allow once1'));
  render([]);
  expect(query('form')).toBeNull();
  expect(query('[role="alert"]')?.textContent).toContain('Not answered: Jo answered this first.');
  await click(button('Dismiss'));
  expect(query('[role="alert"]')).toBeNull();
});

test('several questions are answered together', async () => {
  const { actions, render } = show([question]);
  expect(button('Submit').disabled).toBe(true);
  await click(radio(1));
  await type(field(/Which name/), 'Ada');
  await click(button('Submit'));
  expect(actions.answer.mock.calls).toEqual([['q1', { answers: { size: ['Large'], name: ['Ada'] } }]]);
  render([]);
  expect(sessionStorage.length).toBe(0);
});

test('own words beside options; Enter of the input method does not submit', async () => {
  const { actions } = show([{ ...question, questions: question.questions?.slice(0, 1) }]);
  await click(radio(2));
  const own = field(/Which size/);
  await type(own, '中');
  await press(own, 'Enter', { isComposing: false, keyCode: 229 });
  expect(actions.answer).not.toHaveBeenCalled();
  await press(own, 'Enter', { keyCode: 13 });
  expect(actions.answer.mock.calls).toEqual([['q1', { answers: { size: ['中'] } }]]);
});

test('a half-filled form survives a new render and a reload (Q36)', async () => {
  const { render } = show([question]);
  await click(radio(0));
  await type(field(/Which name/), 'Ad');
  render([question, approval]);
  expect(field(/Which name/).value).toBe('Ad');
  unmount();
  show([question]);
  expect((radio(0) as HTMLInputElement).checked).toBe(true);
  expect(field(/Which name/).value).toBe('Ad');
});

test('a browser that blocks its storage closes an ask like any other, and keeps its words with the page', async () => {
  const blocked = vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  const { actions } = show([question]);
  await type(field(/Which name/), 'Ad');
  unmount();
  const { render } = show([question], actions);
  expect(field(/Which name/).value).toBe('Ad');
  await click(radio(0));
  await click(button('Submit'));
  expect(actions.answer.mock.calls).toEqual([['q1', { answers: { size: ['Small'], name: ['Ad'] } }]]);
  render([]);
  expect(query('form')).toBeNull();
  blocked.mockRestore();
});

const announced = () => query('[aria-live="polite"]')?.textContent?.trim();

test('a new ask is announced and does not take the focus', () => {
  const { render } = show([]);
  const typing = document.body.appendChild(document.createElement('textarea'));
  typing.focus();
  render([question]);
  expect(announced()).toBe('The agent asks: Which size?');
  expect(document.activeElement).toBe(typing);
});

test('what is dangerous about it is announced with it', () => {
  const { render } = show([]);
  render([{ ...approval, approval: { what: 'command', command: 'halt', risk: 'power' } }]);
  expect(announced()).toMatch(/Run this command\? halt It switches the machine off or restarts it\.$/);
});

test('each approval is announced with what it is about, and none again when another closes', () => {
  const { render } = show([]);
  const second = { ...approval, id: 'a2' };
  render([approval]);
  expect(announced()).toBe('The agent asks for approval: Run this command? rm -rf build');
  const said = query('[aria-live="polite"]')?.firstChild;
  // the same words are said again only if they are new to the page
  render([approval, second]);
  const again = query('[aria-live="polite"]')?.firstChild;
  expect(again?.textContent).toBe(said?.textContent);
  expect(again).not.toBe(said);
  render([approval]);
  expect(query('[aria-live="polite"]')?.firstChild).toBe(again);
});

test('what an MCP server asks shows who asks, its page, and can be refused', async () => {
  const from = { server: 'forms', message: 'Log in there.', url: 'https://example.org/login' };
  const page: Ask = { ...about, id: 'p1', kind: 'question', from, questions: [] };
  for (const [name, answer] of [
    ['Done', { answers: {} }],
    ['Decline', { refuse: 'decline' }],
    ['Not now', { refuse: 'cancel' }],
  ] as const) {
    const { actions } = show([page]);
    expect(query('h2')?.textContent).toBe('forms asks:');
    expect(query('form a')?.getAttribute('href')).toBe('https://example.org/login');
    expect(query('form a')?.getAttribute('rel')).toBe('noopener noreferrer');
    await click(button(name));
    expect(actions.answer.mock.calls).toEqual([['p1', answer]]);
    unmount();
  }
});
