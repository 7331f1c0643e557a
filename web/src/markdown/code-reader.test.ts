import { expect, test } from 'vitest';
import { KINDS } from './code-kinds.ts';
import { CodeReader, type Runs } from './code-reader.ts';

const reader = new CodeReader();

/** `keyword:const` and so on; what is plain without a name. */
function pieces(code: string, runs: Runs): string[] {
  const found: string[] = [];
  let at = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const text = code.slice(at, at + (runs[run] ?? 0)).trim();
    at += runs[run] ?? 0;
    const kind = KINDS[(runs[run + 1] ?? 0) - 1];
    if (text !== '') found.push(kind ? `${kind}:${text}` : text);
  }
  expect(at).toBe(code.length);
  return found;
}

async function read(code: string, language: string): Promise<string[]> {
  const runs = await reader.read(code, language);
  if (!runs) throw new Error(`${language} is not known`);
  return pieces(code, runs);
}

test('code is told apart by kind, and no character of it is lost', async () => {
  expect(await read('// a\nexport const a: Name = run(1, "s");\n\n', 'ts')).toEqual([
    'comment:// a',
    'keyword:export const',
    'a:',
    'type:Name',
    '=',
    'function:run',
    '(',
    'constant:1',
    ',',
    'string:"s"',
    ');',
  ]);
  expect(await read('def f(x):\n  return "é😀"  # no\n', 'Python')).toEqual(
    expect.arrayContaining(['keyword:def', 'function:f', 'string:"é😀"', 'comment:# no']),
  );
  expect(await read('- a\n+ b', 'diff')).toEqual(['deleted:- a', 'inserted:+ b']);
});

test('a language that nobody knows, and none at all, stay plain', async () => {
  expect(await reader.read('a', 'nosuch')).toBeNull();
  expect(await reader.read('a', '__proto__')).toBeNull();
  expect(await reader.read('a', 'text')).toBeNull();
});

test('a line without end stays plain, the others do not', async () => {
  const found = await read(`let a = 1;\nlet b = "${'x'.repeat(50_000)}";\nlet c = 2;`, 'js');
  expect(found.filter((piece) => piece === 'keyword:let')).toHaveLength(2);
});

test('an unfinished piece of code is read as far as it goes', async () => {
  expect(await read('const a = `unfinished', 'ts')).toContain('string:`unfinished');
  expect(await read('<div class="', 'html')).toContain('tag:div class');
});
