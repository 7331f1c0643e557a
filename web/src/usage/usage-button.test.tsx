// @vitest-environment happy-dom
import type { Usage } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, expect, test } from 'vitest';
import { button, click, mount, press, query, server, session } from '../conversation/testing.ts';
import { speak } from '../messages/spoken.ts';
import { UsageButton } from './usage-button.tsx';

const none: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
};
const turn: Usage = {
  ...none,
  inputTokens: 41_000,
  cachedInputTokens: 5000,
  outputTokens: 150,
  totalTokens: 41_150,
};
const total: Usage = { ...turn, inputTokens: 1_263_000, reasoningTokens: 40, totalTokens: 1_263_150 };
const usage = {
  ...{ last: turn, turn, total, contextTokens: 22_010, contextWindow: 100_000, contextLeft: 88.6 },
  contextEstimated: false,
} satisfies SessionState['usage'];

let unmount: () => void = () => undefined;
afterEach(async () => {
  unmount();
  await speak('en', ['en']);
});
function show(more: Partial<SessionState>, actions = server()) {
  const mounted = mount(<UsageButton state={session(more)} actions={actions} />);
  unmount = mounted.unmount;
  const render = (next: Partial<SessionState>) =>
    mounted.render(<UsageButton state={session(next)} actions={actions} />);
  return { actions, render };
}
const open = () => click(button('Context and usage'));
const dialog = () => query('[role="dialog"]');
const rows = () =>
  [...document.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));

test('nothing is there until a model has told what it used', () => {
  show({ usage: null });
  expect(query('main')?.textContent).toBe('');
});

test('the meter opens to what context, turn and session have used and cost', async () => {
  show({ usage: { ...usage, cost: { currency: 'USD', turn: 0.0221, total: 12.345 } } });
  expect(query('[role="meter"]')?.getAttribute('aria-valuetext')).toBe('89 %');
  await open();
  expect(dialog()?.textContent).toContain('22,010 of 100,000 tokens, 78 % left');
  expect(rows()).toEqual([
    ['Tokens', 'Latest turn', 'Session'],
    ['Input', '41,000', '1,263,000'],
    ['of which cached', '5,000', '5,000'],
    ['Output', '150', '150'],
    ['of which reasoning', '0', '40'],
    ['Cost', '$0.0221', '$12.35'],
  ]);
  expect(document.activeElement).toBe(dialog());
  await press(dialog() as HTMLElement, 'Escape');
  expect(dialog()).toBeNull();
  expect(document.activeElement).toBe(button('Context and usage'));
});

test('what costs next to nothing is not said to cost nothing', async () => {
  show({ usage: { ...usage, cost: { currency: 'USD', turn: 0.00004, total: 0.9 } } });
  await open();
  expect(rows().at(-1)).toEqual(['Cost', '<$0.0001', '$0.9000']);
});

test('where a price is missing it says for which model, and shows no cost', async () => {
  show({ usage: { ...usage, unpriced: ['house-model', ''] } });
  await open();
  expect(dialog()?.textContent).toContain(
    'No cost: the configuration has no price for house-model, a model that was not recorded.',
  );
  expect(rows().some(([name]) => name === 'Cost')).toBe(false);
});

test('an estimate is called one, for the eye and the ear', async () => {
  show({ usage: { ...usage, contextEstimated: true } });
  expect(query('[role="meter"]')?.getAttribute('aria-valuetext')).toBe('about 89 %');
  expect(query('main')?.textContent).toBe('≈ 89 %');
  await open();
  expect(dialog()?.textContent).toContain('An estimate');
});

test('without a known window there is no meter, but what was used', async () => {
  const { contextLeft: _, contextWindow: __, ...unknown } = usage;
  const { render } = show({ usage: unknown });
  expect(query('[role="meter"]')).toBeNull();
  expect(query('main')?.textContent).toBe('1.3M tokens');
  await open();
  expect(dialog()?.textContent).toContain('22,010 tokens; how many the model can hold is not known');
  const { contextTokens: ___, ...untold } = unknown;
  render({ usage: untold });
  expect(dialog()?.textContent).toContain('How much of the context is used is not known');
});

test('Compact now sends the command once and closes; while a turn runs it says why it waits', async () => {
  const running = { usage, turn: { id: 't', startedAt: '2026-01-01T00:00:00.000Z' } };
  const { actions, render } = show(running);
  await open();
  expect(rows()[0]).toContain('This turn');
  await click(button('Compact now'));
  expect(actions.send).not.toHaveBeenCalled();
  expect(button('Compact now').getAttribute('aria-disabled')).toBe('true');
  expect(dialog()?.textContent).toContain('Possible once the turn has ended.');
  render({ usage });
  await click(button('Compact now'));
  expect(actions.send.mock.calls.map(([{ text, mode }]) => [text, mode])).toEqual([['/compact', 'steer']]);
  expect(dialog()).toBeNull();
  expect(document.activeElement).toBe(button('Context and usage'));
});

test('of a closed session it says that it is to be opened first', async () => {
  show({ usage, status: 'closed' });
  await open();
  expect(button('Compact now').getAttribute('aria-disabled')).toBe('true');
  expect(dialog()?.textContent).toContain('Possible once the session is open again.');
});

test('a server that does not take the command is quoted, and the panel stays', async () => {
  const actions = server();
  actions.send.mockRejectedValue(new Error('The disk is full.'));
  show({ usage }, actions);
  await open();
  await click(button('Compact now'));
  expect(query('[role="alert"]')?.textContent).toBe('Not compacted. The disk is full.');
});

test('an unknown currency stands behind the amount; Chinese has its own words', async () => {
  await speak('zh', ['zh-CN']);
  show({ usage: { ...usage, cost: { currency: 'credits', turn: 0.5, total: 0 } } });
  await click(button('上下文与用量'));
  expect(dialog()?.textContent).toContain('100,000 个 token 中已用 22,010，剩余 78%');
  expect(rows().at(-1)).toEqual(['费用', '0.5000 credits', '0.00 credits']);
});
