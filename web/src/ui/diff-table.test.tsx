// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { button, click, mount, query } from '../conversation/testing.ts';
import { parseDiff } from './diff-rows.ts';
import { DiffTable } from './diff-table.tsx';

test('all of a line can be seen, and NUL in it', async () => {
  const line = `# ${'x'.repeat(2500)}; touch evil\0`;
  const { unmount } = mount(<DiffTable label="diff" rows={parseDiff(`+${line}\n`).rows} />);
  const text = () => query('td:last-child')?.textContent ?? '';
  expect(text()).not.toContain('evil');
  await click(button('Show 515 more characters'));
  expect(text()).toBe(line);
  expect(query('[data-shows]')?.dataset.shows).toBe('U+0000');
  unmount();
});
