// @vitest-environment happy-dom
import type { Ask } from '@tscodex/shared/asks';
import type { SessionState } from '@tscodex/shared/session-state';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/http.ts';
import { button, click, mount, press, query, server, session, type } from '../conversation/testing.ts';
import { Composer } from './composer.tsx';

const box = () => query<HTMLTextAreaElement>('textarea[aria-label="Message"]') as HTMLTextAreaElement;
const group = (mode: 'steer' | 'queue') => query(`[aria-label="Waiting: ${mode}"]`);
const sent = vi.fn<() => void>();
const page = (state: SessionState, actions = server(), created: string | null = null) => (
  <Composer
    state={state}
    actions={actions}
    connection="live"
    unsaved="new:w"
    created={created}
    onSent={sent}
  />
);
const running: Partial<SessionState> = {
  status: 'running',
  turn: { id: 't', startedAt: '2026-01-01T00:00:00.000Z' },
};
const question: Ask = {
  id: 'a1',
  sessionId: 's1',
  turnId: 't',
  kind: 'question',
  openedAt: '2026-01-01T00:00:00.000Z',
  questions: [{ id: 'q', header: '', question: 'Which size?', allowOther: true }],
};

let unmount: () => void = () => undefined;
const show = (state: SessionState, actions = server()) => {
  const mounted = mount(page(state, actions));
  unmount = mounted.unmount;
  return { ...mounted, actions };
};
beforeEach(() => {
  localStorage.clear();
  sent.mockClear();
});
afterEach(() => unmount());

test('Enter that belongs to the input method does not send, in either order (O-F2)', async () => {
  const { actions } = show(session());
  await type(box(), 'ni');
  await press(box(), 'Enter', { isComposing: true, keyCode: 229 });
  await press(box(), 'Enter', { isComposing: false, keyCode: 229 });
  expect(actions.send).not.toHaveBeenCalled();
  await press(box(), 'Enter', { shiftKey: true, keyCode: 13 });
  expect(actions.send).not.toHaveBeenCalled();
  await press(box(), 'Enter', { keyCode: 13 });
  expect(actions.send.mock.calls.map(([{ text, mode }]) => [text, mode])).toEqual([['ni', 'steer']]);
  expect(box().value).toBe('');
});

test('nor does it pick from the list of commands', async () => {
  const { actions } = show(session());
  await type(box(), '/t');
  await press(box(), 'Enter', { isComposing: true, keyCode: 229 });
  await press(box(), 'Enter', { isComposing: false, keyCode: 229 });
  expect(box().value).toBe('/t');
  await press(box(), 'Enter', { keyCode: 13 });
  expect(box().value).toBe('/title ');
  expect(actions.send).not.toHaveBeenCalled();
});

test('arrows choose a command, Escape closes the list, the whole command is sent', async () => {
  const { actions } = show(session());
  await type(box(), '/');
  await press(box(), 'ArrowUp');
  expect(query('[role="option"][aria-selected="true"]')?.textContent).toContain('/stop');
  await press(box(), 'Escape');
  expect(query('[role="listbox"]')).toBeNull();
  await type(box(), '/help');
  await press(box(), 'Enter');
  expect(actions.send.mock.calls[0]?.[0].text).toBe('/help');
});

test('a double click sends once, and blank text never', async () => {
  const { actions } = show(session());
  await type(box(), ' \n');
  expect(button('Send').disabled).toBe(true);
  await press(box(), 'Enter');
  await type(box(), 'do it');
  await click(button('Send'));
  await click(button('Send'));
  expect(actions.send).toHaveBeenCalledTimes(1);
  expect(sent).toHaveBeenCalledTimes(1);
});

test('a message is seen on its way, and a failed one stays with Retry under the same id', async () => {
  const { actions } = show(session(running));
  actions.send.mockRejectedValue(new Error('no answer'));
  await click(button('Queue'));
  await type(box(), 'then the changelog');
  await press(box(), 'Enter');
  expect(group('queue')?.textContent).toContain('not sent');
  expect(group('steer')).toBeNull();
  await click(button('Retry'));
  const ids = actions.send.mock.calls.map(([{ id }]) => id);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
});

test.each([
  ['was never there', () => Promise.reject(new ApiProblem('input.gone', 'gone', 404)), 'hello'],
  ['waits there', () => Promise.resolve(), 'hello'],
  ['cannot be asked for', () => Promise.reject(new ApiProblem('network', 'no answer', 0)), ''],
])('Edit of a message whose answer was lost withdraws it first; it %s', async (_, withdraw, text) => {
  const { actions } = show(session(running));
  actions.send.mockRejectedValue(new ApiProblem('network', 'no answer', 0));
  actions.withdrawInput.mockImplementation(withdraw);
  await type(box(), 'hello');
  await press(box(), 'Enter');
  await click(button('Edit “hello”'));
  expect(actions.withdrawInput.mock.calls).toEqual([[actions.send.mock.calls[0]?.[0].id]]);
  expect(box().value).toBe(text);
  expect(group('steer') === null).toBe(text !== '');
});

test('Edit of a message that the server refused needs no withdrawal', async () => {
  const { actions } = show(session(running));
  actions.send.mockRejectedValue(new ApiProblem('input.tooLarge', 'too large', 413));
  await type(box(), 'hello');
  await press(box(), 'Enter');
  await click(button('Edit “hello”'));
  expect(actions.withdrawInput).not.toHaveBeenCalled();
  expect(box().value).toBe('hello');
});

test('a waiting message opens to be read whole; many wait in one row, and the rest on request', async () => {
  const inputs = ['one', 'two', 'three', 'four', 'five'].map((text) => ({
    id: text,
    text,
    mode: 'queue' as const,
    attachments: [],
    author: null,
    at: '',
  }));
  show(session({ ...running, waiting: inputs }));
  const removable = () => group('queue')?.querySelectorAll('[aria-label^="Remove"]').length;
  expect(removable()).toBe(3);
  await click(button('two'));
  expect(button('two').getAttribute('aria-expanded')).toBe('true');
  await click(button('two'));
  expect(button('two').getAttribute('aria-expanded')).toBe('false');
  await click(button('Show 2 more'));
  expect(removable()).toBe(5);
  await click(button('Fewer'));
  expect(removable()).toBe(3);
});

test('what the session already shows is no longer on its way', async () => {
  let sent = '';
  const actions = server();
  actions.send.mockImplementation(async ({ id }) => {
    sent = id;
    throw new Error('the answer was lost');
  });
  const { render } = show(session(running), actions);
  await type(box(), 'hello');
  await press(box(), 'Enter');
  expect(button('Retry')).toBeTruthy();
  const input = { id: sent, text: 'hello', mode: 'steer', attachments: [], author: null, at: '' } as const;
  render(page(session({ ...running, waiting: [{ ...input, attachments: [] }] }), actions));
  expect(group('steer')?.querySelectorAll('button')).toHaveLength(3);
  expect(button('Remove “hello”')).toBeTruthy();
  expect(localStorage.length).toBe(0);
});

test('each session keeps its draft, and a send that fails later does not touch another one (O-F7)', async () => {
  let fail: (reason: Error) => void = () => undefined;
  const slow = server();
  slow.send.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
  const { render } = show(session({ id: 'a' }), slow);
  await type(box(), 'for a');
  await press(box(), 'Enter');
  await type(box(), 'half a thought');
  render(page(session({ id: 'b' })));
  await type(box(), 'typed in b');
  fail(new Error('down'));
  await Promise.resolve();
  expect(box().value).toBe('typed in b');
  expect(group('steer')).toBeNull();
  render(page(session({ id: 'a' }), slow));
  expect(box().value).toBe('half a thought');
  expect(group('steer')?.textContent).toContain('for a');
  expect(button('Retry')).toBeTruthy();
});

test('the first message goes with its session, and one writes on while that is made', async () => {
  let fail: (reason: Error) => void = () => undefined;
  const creating = server();
  creating.send.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
  const { render } = show(session({ id: 'new:w' }), creating);
  await type(box(), 'first');
  await press(box(), 'Enter');
  await type(box(), 'and then');
  const before = box();
  render(page(session({ id: 'made' }), server(), 'made'));
  expect(box()).toBe(before);
  expect(box().value).toBe('and then');
  expect(group('steer')?.textContent).toContain('sending');
  await act(async () => fail(new Error('no answer')));
  expect(group('steer')?.textContent).toContain('not sent');
  render(page(session({ id: 'new:w' })));
  expect(box().value).toBe('');
  expect(group('steer')).toBeNull();
});

test('a session that is shown meanwhile does not get it', async () => {
  const creating = server();
  creating.send.mockReturnValue(new Promise(() => undefined));
  const { render } = show(session({ id: 'new:w' }), creating);
  await type(box(), 'first');
  await press(box(), 'Enter');
  render(page(session({ id: 'other' })));
  expect(group('steer')).toBeNull();
  render(page(session({ id: 'made' }), server(), 'made'));
  expect(group('steer')?.textContent).toContain('first');
});

test('what was written for no session is in the next one that is shown', async () => {
  localStorage.setItem('tscodex.draft.new:w', 'half a thought');
  const left = [{ id: 'i', text: 'never sent', mode: 'steer' }];
  localStorage.setItem('tscodex.outbox.new:w', JSON.stringify(left));
  const { render } = show(session({ id: 'a' }));
  expect(box().value).toBe('half a thought');
  expect(group('steer')?.textContent).toContain('never sent');
  render(page(session({ id: 'b' })));
  expect(box().value).toBe('');
  expect(Object.keys(localStorage).sort()).toEqual(['tscodex.draft.a', 'tscodex.outbox.a']);
});

test('a draft survives a reload', async () => {
  show(session());
  await type(box(), 'half a thought');
  unmount();
  show(session());
  expect(box().value).toBe('half a thought');
});

test('text answers an open question, or goes as a message when asked to', async () => {
  const { actions } = show(session({ ...running, status: 'asking', asks: [question] }));
  expect(box().placeholder).toBe('Answer: Which size?');
  await type(box(), 'large');
  await press(box(), 'Enter');
  expect(actions.answer.mock.calls).toEqual([['a1', { answers: { q: ['large'] } }]]);
  expect(box().value).toBe('');
  await type(box(), 'by the way');
  await click(button('Send as a message'));
  expect(actions.send.mock.calls[0]?.[0].text).toBe('by the way');
  await type(box(), '/stop');
  await click(button('Send'));
  expect(actions.send.mock.calls[1]?.[0].text).toBe('/stop');
  expect(actions.answer).toHaveBeenCalledTimes(1);
});

test('a text begun before the question came is a message; it answers only when asked to (Q15)', async () => {
  const { render, actions } = show(session(running));
  await type(box(), 'use tabs');
  const asking = session({ ...running, status: 'asking', asks: [question] });
  render(page(asking, actions));
  await type(box(), 'use tabs, please');
  await press(box(), 'Enter');
  expect(actions.answer).not.toHaveBeenCalled();
  expect(actions.send.mock.calls.map(([{ text }]) => text)).toEqual(['use tabs, please']);
  render(page(session(running), actions));
  await type(box(), 'large');
  render(page(asking, actions));
  await click(button('Answer'));
  expect(actions.answer.mock.calls).toEqual([['a1', { answers: { q: ['large'] } }]]);
  await type(box(), 'small');
  render(page(session({ ...running, status: 'asking', asks: [{ ...question, id: 'a2' }] }), actions));
  await click(button('Send'));
  expect(actions.send).toHaveBeenCalledTimes(2);
});

test('when a message is read is no choice while the text is an answer', async () => {
  show(session({ ...running, status: 'asking', asks: [question] }));
  expect(query('[aria-label="When it is read"]')).toBeNull();
  await type(box(), '/queue');
  expect(query('[aria-label="When it is read"]')).not.toBeNull();
});

test('what is written while an answer is on its way stays, behind the answer if that comes back', async () => {
  const { actions } = show(session({ ...running, status: 'asking', asks: [question] }));
  const ends: ((reason?: Error) => void)[] = [];
  actions.answer.mockImplementation(
    () => new Promise((resolve, reject) => ends.push((reason) => (reason ? reject(reason) : resolve()))),
  );
  await type(box(), 'large');
  await press(box(), 'Enter');
  expect(box().value).toBe('');
  await type(box(), 'and red');
  await press(box(), 'Enter');
  expect(actions.answer).toHaveBeenCalledTimes(1);
  await act(async () => ends[0]?.(new Error('down')));
  expect(box().value).toBe('large\n\nand red');
  await press(box(), 'Enter');
  await type(box(), 'by the way');
  await act(async () => ends[1]?.());
  expect(box().value).toBe('by the way');
});

test('an answer that was not taken is in the box again', async () => {
  const { actions } = show(session({ ...running, status: 'asking', asks: [question] }));
  actions.answer.mockRejectedValue(new Error('Jo answered first'));
  await type(box(), 'large');
  await press(box(), 'Enter');
  expect(box().value).toBe('large');
  expect(query('[role="alert"]')?.textContent).toBe('Not answered: Jo answered first');
});

test('Stop is there while something runs and says when it is stopping', async () => {
  const { render, actions } = show(session(running));
  await press(box(), 'Escape');
  expect(actions.interrupt).not.toHaveBeenCalled();
  await click(button('Stop'));
  expect(actions.interrupt).toHaveBeenCalledTimes(1);
  render(page(session({ ...running, status: 'stopping' })));
  expect(button('Stopping…').disabled).toBe(true);
  render(page(session()));
  expect(() => button('Stop')).toThrow();
});

test('a text over the limit is refused here, with its size', async () => {
  const { actions } = show(session());
  await type(box(), 'é'.repeat(600_000));
  await press(box(), 'Enter');
  expect(actions.send).not.toHaveBeenCalled();
  expect(query('[role="alert"]')?.textContent).toContain('1.1 MiB');
  expect(box().value).toHaveLength(600_000);
});

test('status, meter and model', () => {
  const usage = { contextLeft: 67.6 } as SessionState['usage'];
  const { render } = show(session({ ...running, model: 'gpt-5.5', effort: 'medium', usage }));
  expect(query('[role="status"][aria-label="Session status"]')?.textContent).toMatch(/^working/);
  expect(query('[role="meter"][aria-label="Context left"]')?.getAttribute('aria-valuenow')).toBe('68');
  expect(document.body.textContent).toContain('gpt-5.5 · medium');
  const retrying = { attempt: 2, max: 5, delayMs: 1, message: '' };
  render(page(session({ ...running, retrying })));
  expect(query('[role="status"]')?.textContent).toBe('retrying 2/5');
  expect(query('[role="meter"]')).toBeNull();
});

test('who taps the greyed Steer is told why, until the turn ends', async () => {
  const onExec = { ...running, backend: 'codex-exec' };
  const { render } = show(session(onExec));
  const told = () => query('[role="alert"]')?.textContent;
  expect(told()).toBeUndefined();
  await click(button('Steer'));
  expect(told()).toMatch(/^Codex takes nothing into a turn that runs .* messages wait for its end$/);
  expect(button('Queue').getAttribute('aria-pressed')).toBe('true');
  render(page(session({ ...onExec, turn: { id: 'next', startedAt: '2026-01-01T00:00:00.000Z' } })));
  expect(told()).toBeUndefined();
});
