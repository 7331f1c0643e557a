import { expect, test } from 'vitest';
import { en } from './en.ts';
import { t } from './messages.ts';

test('a message without places is the text', () => {
  expect(t('sessions.new')).toBe('New session');
});

test('places are filled in', () => {
  expect(t('pages.title', { page: 'vision-lab' })).toBe('vision-lab · tscodex');
});

test('a count chooses the plural form and is written for readers', () => {
  expect(t('workspaces.sessions', { count: 1 })).toBe('1 session');
  expect(t('workspaces.sessions', { count: 0 })).toBe('0 sessions');
  expect(t('workspaces.sessions', { count: 12_000 })).toBe('12,000 sessions');
});

test('what is filled in is not searched for places again', () => {
  expect(t('pages.title', { page: '{page}' })).toBe('{page} · tscodex');
});

test('a missing place or an unknown key is a type error', () => {
  // @ts-expect-error the place is not given
  expect(t('pages.title')).toBe('{page} · tscodex');
  // @ts-expect-error this key is in no table
  expect(() => t('pages.nothing')).toThrow();
});

test('keys begin with the name of their feature', () => {
  const features =
    'agents api asks background board catalog composer conversation images inbox login markdown notifications pages people permissions rules sessions ui usage workspaces'.split(
      ' ',
    );
  for (const key of Object.keys(en)) expect(features).toContain(key.split('.')[0]);
});
