import { expect, test } from 'vitest';
import { TomlPlaces, writtenKey } from './toml-places.ts';

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
  expect(new TomlPlaces(text).lineOf(path)).toBe(line);
});

test('the key on a line, as it is written', () => {
  expect(new TomlPlaces(text).keyOn(6)).toBe('model_providers."my local".base_url');
  expect(new TomlPlaces(text).keyOn(3)).toBeUndefined();
  expect(new TomlPlaces('[mcp_servers.x]\ncommand = "C:\\dir"').keyOn(2)).toBe('mcp_servers.x.command');
  expect(writtenKey(['hooks', 'turn.completed', 1, 'command'])).toBe('hooks."turn.completed"[1].command');
});

test('what is no TOML has no places, or strange ones, but does no harm', () => {
  expect(new TomlPlaces('[\n]]\n= 5\n"""').lineOf(['a'])).toBeUndefined();
  expect(new TomlPlaces('[a b]').keyOn(1)).toBe('"a b"');
});
