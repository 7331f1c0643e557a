import { expect, test } from 'vitest';
import { badgedIcon } from './favicon.ts';

test.each([
  [0, false, null],
  [0, true, '#2b8a3e'],
  [1, true, '>1</text>'],
  [9, false, '>9</text>'],
  [10, false, '>9+</text>'],
])('%d that wait, news: %j', (waiting, news, part) => {
  const icon = badgedIcon({ waiting, news });
  if (part === null) expect(icon).toBeNull();
  else expect(decodeURIComponent(icon ?? '')).toContain(part);
});
