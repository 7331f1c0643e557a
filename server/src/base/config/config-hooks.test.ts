import { expect, test } from 'vitest';
import { readHooks } from './config-hooks.ts';
import { writtenKey } from './toml-places.ts';

const whole = { command: ['whole'] };

test('hooks come in the order of their events; Codex’s own are kept apart', () => {
  const table = {
    'turn.completed': [{ command: ['notify', 'done'] }, { command: ['a'], timeout_ms: 5 }],
    'turn.started': [{ command: ['b'] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'check', timeout: 5 }] }],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }],
    state: { trusted: true },
  };
  expect(readHooks(table)).toEqual({
    hooks: [
      { event: 'turn.started', command: ['b'], timeoutMs: 10_000 },
      { event: 'turn.completed', command: ['notify', 'done'], timeoutMs: 10_000 },
      { event: 'turn.completed', command: ['a'], timeoutMs: 5 },
    ],
    codexHooks: [{ event: 'PreToolUse', matcher: 'Bash', command: 'check', timeoutMs: 5000 }],
    faults: [],
  });
  expect(readHooks(undefined)).toEqual({ hooks: [], codexHooks: [], faults: [] });
});

test.each([
  ['a string', 'notify', 'hooks."turn.completed"[0]: expected table, found string'],
  ['no program', [{ command: [] }], 'hooks."turn.completed"[0].command: expected a program'],
  ['a shell line', [{ command: 'a | b' }], 'hooks."turn.completed"[0].command: expected array, found string'],
  [
    'no end',
    [{ command: ['a'], timeout_ms: 0 }],
    'hooks."turn.completed"[0].timeout_ms: expected number to be >0, found 0',
  ],
  ['another key', [{ command: ['a'], timeout: 5 }], 'hooks."turn.completed"[0]: Unrecognized key: "timeout"'],
])('a broken hook is left out and named: %s', (_, entries, sentence) => {
  const { hooks, faults } = readHooks({ 'turn.completed': entries, 'ask.opened': [whole] });
  expect(hooks).toEqual([{ event: 'ask.opened', command: ['whole'], timeoutMs: 10_000 }]);
  expect(faults.map(({ path, reason }) => `${writtenKey(path)}: ${reason}`)).toEqual([sentence]);
});

test('one of an event may stand without brackets; broken ones of Codex and no table at all are named', () => {
  expect(readHooks({ 'turn.completed': whole }).hooks).toHaveLength(1);
  expect(readHooks({ PreToolUse: [{ hooks: 5 }], 'turn.completed': whole })).toMatchObject({
    hooks: [{ command: ['whole'] }],
    faults: [{ path: ['hooks', 'PreToolUse', 0, 'hooks'], reason: 'expected array, found number' }],
  });
  expect(readHooks(5).faults).toEqual([{ path: ['hooks'], reason: 'expected a table' }]);
});
