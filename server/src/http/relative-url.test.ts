import { expect, test } from 'vitest';
import { queryOf, rootFrom, withoutBase } from './relative-url.ts';

test.each([
  ['/', './'],
  ['/login?next=/w/x/', './'],
  ['/w/x', '../'],
  ['/w/x/?session=a/b', '../../'],
  ['/w/x/board/', '../../../'],
])('from %s the root is %s', (url, root) => {
  expect(rootFrom(url)).toBe(root);
});

test('the query is all from the question mark on', () => {
  expect(queryOf('/a?b=c?d')).toBe('?b=c?d');
  expect(queryOf('/a')).toBe('');
});

test.each([
  ['/x/agent/api/me', '/x/agent', '/api/me'],
  ['/x/agent/', '/x/agent', '/'],
  ['/api/me', '/x/agent', '/api/me'],
  ['/x/agents/', '/x/agent', '/x/agents/'],
  ['/x/agent', '/x/agent', '/x/agent'],
  ['/api/me', '', '/api/me'],
])('%s without %s is %s', (url, base, rest) => {
  expect(withoutBase(url, base)).toBe(rest);
});
