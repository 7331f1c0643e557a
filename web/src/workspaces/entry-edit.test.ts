import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { brokenSetting, changesOf, isTooLong, NOTHING, nextName, textsOf, theirs } from './entry-edit.ts';

const settings = { sandbox: 'read-only', approval: '', network: 'off' };
const opened = { name: 'lab', dir: '~/lab', board: '/b.html', ...settings };

test('what others change in a field that was touched here is told, and nothing else', () => {
  const current = { ...opened, name: 'their lab', dir: '~/theirs' };
  expect(theirs(opened, current, {})).toEqual({});
  expect(theirs(opened, current, { name: 'my lab', board: '/mine.html' })).toEqual({ name: 'their lab' });
  // the same thing twice is no conflict
  expect(theirs(opened, current, { name: ' their lab ' })).toEqual({});
});

test('only what differs is sent, without blanks around it; an emptied field stays', () => {
  expect(changesOf(opened, {})).toEqual({});
  expect(changesOf(opened, { name: ' lab ', dir: '  ', board: ' /c.html' })).toEqual({ board: '/c.html' });
});

test('a setting that differs is sent as the server has it; one that is left to the server, as null', () => {
  expect(changesOf(opened, { sandbox: 'read-only', approval: '' })).toEqual({});
  expect(changesOf(opened, { name: 'x', sandbox: '', approval: 'never', network: 'on' })).toEqual({
    name: 'x',
    permissions: { sandbox: null, approval: 'never', network: true },
  });
  expect(textsOf(NOTHING, { ...opened, network: 'on' })).toEqual({
    name: 'lab',
    dir: '~/lab',
    board: '/b.html',
  });
});

test('a setting that says what is none is replaced by what the form shows, chosen or left to the server', () => {
  const problem = (field: string) => ({
    problem: { code: 'entry.invalid', message: '', details: { field } },
  });
  expect([problem('sandbox'), problem('dir'), {}].map(brokenSetting)).toEqual(['sandbox', null, null]);
  const broken = { ...opened, sandbox: '' };
  expect(changesOf(broken, {}, 'sandbox')).toEqual({ permissions: { sandbox: null } });
  expect(changesOf(broken, { sandbox: 'read-only' }, 'sandbox')).toEqual({
    permissions: { sandbox: 'read-only' },
  });
});

test('a setting that others changed, too, is told', () => {
  const current = { ...opened, approval: 'never', network: '' };
  expect(theirs(opened, current, { approval: 'untrusted', network: 'on' })).toEqual({
    approval: 'never',
    network: '',
  });
  expect(theirs(opened, current, { approval: 'never' })).toEqual({});
});

test('a name of 100 characters is one, of 101 is none', () => {
  expect([undefined, 'x'.repeat(100), `${'x'.repeat(100)}  `, 'x'.repeat(101)].map(isTooLong)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('the name that is next is in no use, neither as a name nor as an id', () => {
  const named = (id: string, name: string) => ({ id, name }) as WorkspaceSummary;
  expect(nextName([])).toBe('workspace-1');
  expect(nextName([named('workspace-1', 'lab'), named('b', 'workspace-2')])).toBe('workspace-3');
});
