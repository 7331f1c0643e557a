// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { mount, query } from '../conversation/testing.ts';
import { InboxNews } from './inbox-news.tsx';
import type { Waiting } from './waiting.ts';

const waiting = (key: string): Waiting => ({
  key,
  workspace: { id: 'w', name: 'Lab' },
  session: { id: `session ${key}`, title: 'Train' },
  ask: null,
  since: '1',
});
const said = () => query('[aria-live]')?.textContent;

test('what waited before the page knew of anything is not told, what begins to wait then is', () => {
  const { render, unmount } = mount(<InboxNews waiting={null} />);
  render(<InboxNews waiting={[waiting('a')]} />);
  expect(said()).toBe('');
  render(<InboxNews waiting={[waiting('a'), waiting('b')]} />);
  expect(said()).toContain('Lab');
  unmount();
});
