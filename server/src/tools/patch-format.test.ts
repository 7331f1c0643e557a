import { expect, test } from 'vitest';
import { parsePatch } from './patch-format.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('reads every kind of section', () => {
  const text = patch(
    '*** Add File: new.txt',
    '+one',
    '+',
    '*** Update File: a.py',
    '*** Move to: b.py',
    '@@ class A:',
    '@@     def f(self):',
    ' x',
    '-y',
    '+z',
    '*** End of File',
    '*** Delete File: old.txt',
  );
  expect(parsePatch(text)).toEqual([
    { type: 'add', path: 'new.txt', lines: ['one', ''] },
    {
      type: 'update',
      path: 'a.py',
      movedTo: 'b.py',
      hunks: [
        {
          anchors: ['class A:', '    def f(self):'],
          lines: [
            { kind: 'context', text: 'x' },
            { kind: 'remove', text: 'y' },
            { kind: 'add', text: 'z' },
          ],
          atEnd: true,
        },
      ],
    },
    { type: 'delete', path: 'old.txt' },
  ]);
});

const plain = parsePatch(patch('*** Update File: f', '@@', '-a', '+b'));

test.each([
  ['blank lines around', `\n\n${patch('*** Update File: f', '@@', '-a', '+b')}\n \n`],
  ['a heredoc around', `<<'EOF'\n${patch('*** Update File: f', '@@', '-a', '+b')}\nEOF\n`],
  ['the shell command around', `apply_patch <<"P"\n${patch('*** Update File: f', '@@', '-a', '+b')}\nP`],
  ['no first @@', patch('*** Update File: f', '-a', '+b')],
  ['CRLF endings', patch('*** Update File: f', '@@', '-a', '+b').replaceAll('\n', '\r\n')],
  ['blank lines before the hunk', patch('', '*** Update File: f', '', '@@', '-a', '+b')],
  ['spaces after headers', patch('*** Update File: f  ', '@@ ', '-a', '+b')],
])('forgives %s', (_, text) => {
  expect(parsePatch(text)).toEqual(plain);
});

test('an empty line is an empty line of context', () => {
  expect(parsePatch(patch('*** Update File: f', '@@', ' a', '', '-b'))).toEqual([
    {
      type: 'update',
      path: 'f',
      hunks: [
        {
          anchors: [],
          atEnd: false,
          lines: [
            { kind: 'context', text: 'a' },
            { kind: 'context', text: '' },
            { kind: 'remove', text: 'b' },
          ],
        },
      ],
    },
  ]);
});

test('a move needs no hunk', () => {
  expect(parsePatch(patch('*** Update File: a', '*** Move to: b'))).toEqual([
    { type: 'update', path: 'a', movedTo: 'b', hunks: [] },
  ]);
});

test('each hunk begins at its "@@" or behind an "End of File"', () => {
  const [section] = parsePatch(
    patch('*** Update File: f', ' a', '+b', '@@', '+c', '*** End of File', '@@ d', '+e'),
  );
  expect(section).toMatchObject({
    hunks: [
      { anchors: [], lines: [{ text: 'a' }, { text: 'b' }], atEnd: false },
      { anchors: [], lines: [{ text: 'c' }], atEnd: true },
      { anchors: ['d'], lines: [{ text: 'e' }], atEnd: false },
    ],
  });
});

test.each([
  ['', 'expected "*** Begin Patch", the patch ends there'],
  ['hello', 'line 1: expected "*** Begin Patch", found "hello"'],
  ['*** Begin Patch\n*** Delete File: a', 'line 2: expected "*** End Patch" as the last line'],
  [patch(), 'line 2: expected "*** Add File: PATH"'],
  [patch('*** Delete File: '), 'line 2: expected a path after "*** Delete File:"'],
  [patch('*** Update File: a.txt'), 'line 3: expected "@@" and lines that change a.txt'],
  [patch('*** Update File: a', '@@'), 'line 4: expected "@@", or a line that begins with'],
  [patch('*** Update File: a', '@@', 'x'), 'found "x"'],
  [patch('*** Update File: a', '@@', '-x', 'y'), 'line 5: expected "@@", or a line that begins with'],
  [patch('*** Rename File: a'), 'line 2: expected "*** Add File: PATH"'],
  [patch('*** Add File: a', '+x', 'y'), 'line 4: expected "*** Add File: PATH"'],
])('names the line and what was expected: %j', (text, message) => {
  expect(() => parsePatch(text)).toThrow(message);
});

test.each([
  ['longer than 1 MiB', patch('*** Add File: f', `+${'x'.repeat(1 << 20)}`)],
  ['more than 200000 lines', patch('*** Add File: f', '+\n'.repeat(200_000))],
  ['for more than 1000 files', patch(...Array.from({ length: 1001 }, (_, i) => `*** Delete File: ${i}`))],
  ['expected a path of at most 4096', patch(`*** Delete File: ${'x'.repeat(4097)}`)],
])('a patch is refused: %s', (what, text) => {
  expect(() => parsePatch(text)).toThrow(what);
});
