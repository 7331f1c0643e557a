import { expect, test } from 'vitest';
import { readHooks } from './config-hooks.ts';

test('hooks come in the order of their events; Codex’s own are not ours', () => {
  const table = {
    'turn.completed': [{ command: ['notify', 'done'] }, { command: ['a'], timeout_ms: 5 }],
    'turn.started': [{ command: ['b'] }],
    PreToolUse: [{ matcher: 'Bash', hooks: 5 }],
  };
  expect(readHooks(table)).toEqual({
    hooks: [
      { event: 'turn.started', command: ['b'], timeoutMs: 10_000 },
      { event: 'turn.completed', command: ['notify', 'done'], timeoutMs: 10_000 },
      { event: 'turn.completed', command: ['a'], timeoutMs: 5 },
    ],
    notices: [],
  });
});

test.each([
  ['a string', 'notify', 'hooks."turn.completed"[0]: '],
  ['no array', { command: ['a'] }, null],
  ['no program', [{ command: [] }], 'hooks."turn.completed"[0].command: must name a program'],
  ['a shell line', [{ command: 'a | b' }], 'hooks."turn.completed"[0].command: '],
  ['no end', [{ command: ['a'], timeout_ms: 0 }], 'hooks."turn.completed"[0].timeout_ms: '],
  ['another key', [{ command: ['a'], timeout: 5 }], 'hooks."turn.completed"[0]: Unrecognized key: "timeout"'],
])('a broken hook is left out and named: %s', (_, entries, notice) => {
  const { hooks, notices } = readHooks({
    'turn.completed': entries,
    'ask.opened': [{ command: ['whole'] }],
  });
  expect(hooks.map(({ command }) => command[0])).toContain('whole');
  if (notice === null) expect(notices).toEqual([]);
  else expect(notices).toEqual([expect.stringContaining(notice)]);
});
