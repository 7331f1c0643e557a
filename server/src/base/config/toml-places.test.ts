import { expect, test } from 'vitest';
import { keyOn, lineOf, writtenKey } from './toml-places.ts';

const text = `model = "m"
notes = """
model_provider = "not here"
"""
[model_providers."my local"] # comment
base_url = "http://h"
query_params = { a = 1 }
[[hooks."turn.completed"]]
command = ["a"]
[[hooks."turn.completed"]]
command = []
[a.b]
c.d = 5
`;

test.each([
  [['model'], 1],
  [['model_provider'], undefined],
  [['model_providers', 'my local'], 5],
  [['model_providers', 'my local', 'query_params', 'a'], 7],
  [['hooks', 'turn.completed', 0, 'command'], 9],
  [['hooks', 'turn.completed', 1, 'command', 0], 11],
  [['a', 'b', 'c', 'd'], 13],
  [['none'], undefined],
])('%j is written on line %s', (path, line) => {
  expect(lineOf(text, path)).toBe(line);
});

test('the key on a line, as it is written', () => {
  expect(keyOn(text, 6)).toBe('model_providers."my local".base_url');
  expect(keyOn(text, 3)).toBeUndefined();
  expect(keyOn('[mcp_servers.x]\ncommand = "C:\\dir"', 2)).toBe('mcp_servers.x.command');
  expect(writtenKey(['hooks', 'turn.completed', 1, 'command'])).toBe('hooks."turn.completed"[1].command');
});

test('what is no TOML has no places, or strange ones, but does no harm', () => {
  expect(lineOf('[\n]]\n= 5\n"""', ['a'])).toBeUndefined();
  expect(keyOn('[a b]', 1)).toBe('"a b"');
});
