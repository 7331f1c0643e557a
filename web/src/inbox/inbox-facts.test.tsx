// @vitest-environment happy-dom
import type { AskBrief } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import { mount } from '../conversation/testing.ts';
import { InboxFacts } from './inbox-facts.tsx';
import { InboxReasons } from './inbox-reasons.tsx';

const at = '2026-01-01T00:00:00.000Z';
const brief: AskBrief = {
  id: 'a',
  kind: 'approval',
  what: 'command',
  cwd: '/srv/lab',
  text: 'make',
  cut: false,
  openedAt: at,
};
function facts(more: Partial<AskBrief>): string {
  const waiting = {
    key: 'a',
    workspace: { id: 'w', name: 'lab' },
    session: { id: 's', title: null },
    ask: { ...brief, ...more },
    since: at,
  };
  const { unmount } = mount(<InboxFacts waiting={waiting} />);
  const text = document.body.textContent ?? '';
  unmount();
  return text.trim();
}

test('what a command may do beyond its sandbox is said in words, and so is what is dangerous', () => {
  expect(facts({ sandbox: 'workspace-write' })).toBe('in /srv/lab');
  expect(facts({ sandbox: 'none' })).toMatch(/^Not confined *in \/srv\/lab$/);
  expect(facts({ sandbox: 'workspace-write', grants: { unconfined: true } })).toContain(
    'Outside the sandbox',
  );
  const grants = { network: true, write: ['/srv/out'] } as const;
  const all = facts({ grants: { ...grants, write: [...grants.write] }, risk: 'power' });
  for (const part of ['may use the network', 'may write /srv/out', 'switches the machine off'])
    expect(all).toContain(part);
});

test('of a patch no directory, of permissions what they are', () => {
  expect(facts({ what: 'patch', sandbox: 'none' })).toBe('');
  expect(facts({ what: 'permissions', grants: { read: ['/etc/x'] } })).toBe('may read /etc/x');
});

test('the reason of the agent is told, and the rule that asks', () => {
  const because = { pattern: ['npm', 'ci'], justification: 'It costs money.' };
  const { unmount } = mount(<InboxReasons ask={{ ...brief, reason: 'to build', because }} />);
  const told = [...document.querySelectorAll('p')].map(({ textContent }) => textContent);
  expect(told).toEqual(['A rule asks about npm ci: It costs money.', 'to build']);
  unmount();
});

test('no directory or path hides what it is', () => {
  const waiting = {
    ...{ key: 'a', workspace: { id: 'w', name: 'lab' }, session: { id: 's', title: null }, since: at },
    ask: { ...brief, cwd: '/srv/a\u202eb', grants: { write: ['/srv/\u200bx'] } },
  };
  const { unmount } = mount(<InboxFacts waiting={waiting} />);
  const chips = [...document.querySelectorAll<HTMLElement>('[data-shows]')];
  expect(chips.map(({ dataset }) => dataset.shows)).toEqual(['U+200B', 'U+202E']);
  unmount();
});
