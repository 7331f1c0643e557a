import { expect, test } from 'vitest';
import { nameOf, programOf } from './entry-words.ts';

test('a session goes by its title, else by what was said first', () => {
  expect(nameOf({ title: 'Parser', preview: 'fix it' })).toBe('Parser');
  expect(nameOf({ title: null, preview: 'fix it' })).toBe('fix it');
  expect(nameOf({ title: null, preview: null })).toBe('Untitled session');
});

test.each([
  ['tscodex', 'tscodex'],
  ['codex_cli_rs', 'Codex'],
  ['codex-tui', 'Codex'],
  ['Codex Desktop', 'Codex'],
  ['codex_vscode', 'Codex'],
  ['codexify', 'codexify'],
  ['pycodex', 'pycodex'],
  [null, null],
])('what calls itself %j is known as %j', (originator, name) => {
  expect(programOf({ originator })).toBe(name);
});
