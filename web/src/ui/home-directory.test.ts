import { expect, test } from 'vitest';
import { withTilde } from './home-directory.ts';

test.each([
  ['/home/u', '/home/u', '~'],
  ['/home/u/work', '/home/u', '~/work'],
  ['/home/user', '/home/u', '/home/user'],
  ['~/work', '/home/u', '~/work'],
  ['/srv', '', '/srv'],
  ['/srv', '/', '/srv'],
])('%s with the home %j is %s', (path, home, shown) => {
  expect(withTilde(path, home)).toBe(shown);
});
