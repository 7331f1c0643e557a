import { expect, test } from 'vitest';
import { type ResponseItem, userText } from '../base/response-items.ts';
import { type ContextSections, contextChanges, toldBy } from './context-changes.ts';

const first: ContextSections = {
  instructions: '<developer_instructions>\nbe brief\n</developer_instructions>',
  skills: null,
  permissions: '<permissions instructions>\nall\n</permissions instructions>',
  agentsMd: '# AGENTS.md instructions for /w\n\nuse tabs',
  environment: '<environment_context>\n  <cwd>/w</cwd>\n</environment_context>',
  board: '<board path="/w/b.html">\nkeep it current\n</board>',
};

const textsOf = (items: readonly ResponseItem[]) =>
  items.map((item) =>
    item.type === 'message'
      ? [item.role, ...item.content.map((part) => ('text' in part ? part.text : '?'))]
      : [],
  );

test('a conversation begins with all of it, in two messages', () => {
  const { instructions, permissions, agentsMd, environment, board } = first;
  expect(textsOf(contextChanges({}, first))).toEqual([
    ['developer', instructions, permissions],
    ['user', agentsMd, environment, board],
  ]);
});

test('what was told is not told again, not after a restart that reads it from the history either', () => {
  const told = toldBy([...contextChanges({}, first), userText('hello')]);
  expect(contextChanges(told, first)).toEqual([]);
});

test('what has changed is told where it does, and only that', () => {
  const later = { ...first, permissions: '<permissions instructions>\nnone\n</permissions instructions>' };
  const told = toldBy(contextChanges({}, first));
  const changes = contextChanges(told, later);
  expect(textsOf(changes)).toEqual([['developer', later.permissions]]);
  expect(contextChanges(toldBy(changes, told), later)).toEqual([]);
  expect(textsOf(contextChanges(toldBy(changes, told), first))).toEqual([['developer', first.permissions]]);
});

test.each(['instructions', 'agentsMd', 'board'] as const)(
  '%s that are gone are said to be gone, once',
  (gone) => {
    const told = toldBy(contextChanges({}, first));
    const now = { ...first, [gone]: null };
    const changes = contextChanges(told, now);
    expect(textsOf(changes)).toEqual([
      [expect.any(String), expect.stringContaining('does not hold any more')],
    ]);
    expect(contextChanges(toldBy(changes, told), now)).toHaveLength(0);
    expect(contextChanges(toldBy(changes, told), first)).toHaveLength(1);
  },
);
