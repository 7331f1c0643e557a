import { expect, test } from 'vitest';
import { loginUrl, nextPlace } from './next.ts';

const base = new URL('http://box:6007/x/agent/');

test('the place is kept without the base path and found again below it', () => {
  const place = new URL('http://box:6007/x/agent/w/demo/?session=1&a=%20b');
  const url = loginUrl(base, place);
  expect(url.pathname).toBe('/x/agent/login');
  expect(url.searchParams.get('next')).toBe('/w/demo/?session=1&a=%20b');
  expect(nextPlace(base, url.searchParams.get('next')).href).toBe(place.href);
});

test('the start page needs no next', () => {
  expect(loginUrl(base, base).href).toBe('http://box:6007/x/agent/login');
  expect(nextPlace(base, null).href).toBe(base.href);
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\tevil',
  'w/demo/',
  '/../../other',
  '/%2e%2e/%2e%2e/other',
  '/https://evil.example/',
  '/javascript:alert(1)',
])('%j leads to the start page', (next) => {
  expect(nextPlace(base, next).href).toBe(base.href);
});
