// @vitest-environment happy-dom
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { button, click, mount, press, query, server, session, type } from '../conversation/testing.ts';
import { Composer } from './composer.tsx';
import { KeptSessions } from './kept-sessions.ts';
import { KeptContext } from './use-kept-session.ts';

let unmount: () => void = () => undefined;
beforeEach(() => localStorage.clear());
afterEach(() => unmount());

const running: Partial<SessionState> = {
  status: 'running',
  turn: { id: 't', startedAt: '2026-01-01T00:00:00.000Z' },
};
const waiting = (...texts: string[]) =>
  texts.map((text) => ({ id: text, text, mode: 'queue' as const, attachments: [], author: null, at: '' }));
const page = (state: SessionState, actions = server()) => (
  <Composer
    state={state}
    actions={actions}
    connection="live"
    unsaved="new:w"
    created={null}
    onSent={() => undefined}
  />
);
const editor = () =>
  [...document.querySelectorAll('textarea')].find(
    (one) => one.labels?.[0]?.textContent === 'A message that waits',
  ) as HTMLTextAreaElement | undefined;

function show(...texts: string[]) {
  const actions = server();
  const mounted = mount(page(session({ ...running, waiting: waiting(...texts) }), actions));
  unmount = mounted.unmount;
  const render = (...next: string[]) =>
    mounted.render(page(session({ ...running, waiting: waiting(...next) }), actions));
  return { actions, render };
}

test('Q18: a message that waits is given new words', async () => {
  const { actions } = show('first', 'second');
  await click(button('Edit “second”'));
  const field = editor() as HTMLTextAreaElement;
  expect(field.value).toBe('second');
  await type(field, 'second, and better');
  await press(field, 'Enter');
  expect(actions.changeInput.mock.calls).toEqual([['second', { text: 'second, and better' }]]);
  expect(editor()).toBeUndefined();
});

test('Q18: it is moved among those that wait as it does', async () => {
  const { actions, render } = show('first', 'second');
  await click(button('Edit “second”'));
  expect(button('Move it back').disabled).toBe(true);
  await click(button('Move it forward'));
  expect(actions.changeInput.mock.calls).toEqual([['second', { position: 0 }]]);
  render('second', 'first');
  expect(document.body.textContent).toContain('1 of 2');
  expect(button('Move it forward').disabled).toBe(true);
});

test('nothing is sent for the same words, none, or Escape', async () => {
  const { actions } = show('first');
  await click(button('Edit “first”'));
  await press(editor() as HTMLTextAreaElement, 'Enter');
  expect(editor()).toBeUndefined();
  await click(button('Edit “first”'));
  await type(editor() as HTMLTextAreaElement, ' ');
  await press(editor() as HTMLTextAreaElement, 'Enter');
  expect(editor()).toBeDefined();
  await press(editor() as HTMLTextAreaElement, 'Escape');
  expect(editor()).toBeUndefined();
  expect(actions.changeInput).not.toHaveBeenCalled();
});

test('words that are not saved stay over a switch of sessions, and do not take the focus again', async () => {
  const actions = server();
  const busy = session({ ...running, waiting: waiting('first') });
  const mounted = mount(page(busy, actions));
  unmount = mounted.unmount;
  await click(button('Edit “first”'));
  expect(document.activeElement).toBe(editor());
  await type(editor() as HTMLTextAreaElement, 'first, but different');
  mounted.render(page(session({ id: 's2' }), actions));
  expect(editor()).toBeUndefined();
  mounted.render(page(busy, actions));
  expect(editor()?.value).toBe('first, but different');
  expect(document.activeElement).toBe(document.body);
  await press(editor() as HTMLTextAreaElement, 'Enter');
  expect(actions.changeInput.mock.calls).toEqual([['first', { text: 'first, but different' }]]);
});

test('they stay over another page of the app as well', async () => {
  const kept = new KeptSessions();
  const busy = session({ ...running, waiting: waiting('first') });
  const shown = <KeptContext value={kept}>{page(busy)}</KeptContext>;
  const mounted = mount(shown);
  unmount = mounted.unmount;
  await click(button('Edit “first”'));
  await type(editor() as HTMLTextAreaElement, 'first, but different');
  mounted.render(null);
  mounted.render(shown);
  expect(editor()?.value).toBe('first, but different');
});

test('closed, it leaves the focus on the button that opened it, or on the box where that is gone', async () => {
  const { render } = show('first');
  await click(button('Edit “first”'));
  await press(editor() as HTMLTextAreaElement, 'Escape');
  expect(document.activeElement).toBe(button('Edit “first”'));
  await click(button('Edit “first”'));
  render();
  await press(editor() as HTMLTextAreaElement, 'Escape');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Message');
});

test('O-F2: the Enter of an input method saves nothing', async () => {
  const { actions } = show('first');
  await click(button('Edit “first”'));
  await type(editor() as HTMLTextAreaElement, '你');
  await press(editor() as HTMLTextAreaElement, 'Enter', { isComposing: true, keyCode: 229 });
  await press(editor() as HTMLTextAreaElement, 'Enter', { keyCode: 229 });
  expect(actions.changeInput).not.toHaveBeenCalled();
  await press(editor() as HTMLTextAreaElement, 'Enter', { keyCode: 13 });
  expect(actions.changeInput).toHaveBeenCalledTimes(1);
});

test('what the agent takes meanwhile stays in the field, and cannot be saved', async () => {
  const { render } = show('first');
  await click(button('Edit “first”'));
  await type(editor() as HTMLTextAreaElement, 'first, but different');
  render();
  expect(editor()?.value).toBe('first, but different');
  expect(query('[role=alert]')?.textContent).toContain('The agent has taken it meanwhile');
  expect(button('Save').disabled).toBe(true);
});

test('an arrow up in an empty box brings back what one said last, to be said again', async () => {
  const said = (id: string, text: string, author: string | null) => ({
    ...{ id, type: 'userMessage' as const, turnId: null, status: 'completed' as const, startedAt: '' },
    ...{ text, author, attachments: [], mode: 'steer' as const, inputId: id },
  });
  const items = [said('1', 'older', null), said('2', 'mine', null), said('3', 'of somebody else', 'Bo')];
  unmount = mount(page(session({ items }))).unmount;
  const box = query<HTMLTextAreaElement>('textarea[aria-label="Message"]') as HTMLTextAreaElement;
  await press(box, 'ArrowUp', { isComposing: true, keyCode: 229 });
  expect(box.value).toBe('');
  await press(box, 'ArrowUp');
  expect(box.value).toBe('mine');
  await type(box, 'x');
  await press(box, 'ArrowUp');
  expect(box.value).toBe('x');
});
