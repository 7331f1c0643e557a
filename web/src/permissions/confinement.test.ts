import type { Held } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import { brief, runsAnything, sentence } from './confinement.ts';

const confined: Held = {
  approvalPolicy: 'on-request',
  sandboxMode: 'workspace-write',
  networkAccess: false,
  confined: true,
  sandboxProblem: null,
};
const free: Held = { ...confined, confined: false };
const full: Held = { ...free, sandboxMode: 'danger-full-access' };

test.each<[Partial<Held> & { of?: Held }, string, string]>([
  [{}, 'confined: workspace-write', 'ok'],
  [{ networkAccess: true }, 'confined: workspace-write, network', 'ok'],
  [{ networkAccess: true, sandboxMode: 'read-only' }, 'confined: read-only', 'ok'],
  [{ of: free }, 'not confined', 'warn'],
  [{ of: full }, 'full access', 'warn'],
  [{ of: full, approvalPolicy: 'never' }, 'full access', 'bad'],
])('%j is %s', ({ of = confined, ...more }, words, tone) => {
  expect(brief({ ...of, ...more })).toEqual({ words, tone });
});

test.each<[Partial<Held> & { of?: Held }, RegExp]>([
  [{}, /reach no network, but for what people.* have allowed\. What needs more asks first\.$/],
  [{ networkAccess: true, approvalPolicy: 'untrusted' }, /reach the network\. All but what is known/],
  [
    { sandboxMode: 'read-only', networkAccess: true, approvalPolicy: 'never' },
    /write nothing and reach no network, but for .*\. Nobody is asked: what needs more is refused\.$/,
  ],
  [{ of: free }, /^Nothing holds commands in.*each command and each change asks first\.$/],
  [{ of: free, approvalPolicy: 'never' }, /each change is refused\.$/],
  [{ of: full }, /asks first\.$/],
  [{ of: full, approvalPolicy: 'never' }, /They run without asking\.$/],
])('%j: %s', ({ of = confined, ...more }, words) => {
  expect(sentence({ ...of, ...more })).toMatch(words);
});

test('only both together run anything', () => {
  expect(runsAnything({ ...full, approvalPolicy: 'never' })).toBe(true);
  expect(runsAnything(full)).toBe(false);
  expect(runsAnything({ ...confined, approvalPolicy: 'never' })).toBe(false);
});
