import { expect, test } from 'vitest';
import type { NewOutput } from '../exec/output-buffer.ts';
import { commandReport, cutOutput } from './command-report.ts';

function whole(text: string): NewOutput {
  return { head: text, tail: '', bytes: Buffer.byteLength(text), omitted: 0 };
}

test('the form is Codex’s', () => {
  const about = { output: whole('hello\n'), processId: '1234', wallMs: 31.25, maxTokens: undefined };
  expect(commandReport({ ...about, exit: { exitCode: 0, signal: null } })).toMatch(
    /^Chunk ID: [0-9a-f]{6}\nWall time: 0\.0313 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nhello\n$/,
  );
  expect(commandReport({ ...about, exit: null })).toContain('\nProcess running with session ID 1234\n');
  expect(commandReport({ ...about, exit: { exitCode: null, signal: 'SIGKILL' } })).toContain(
    '\nProcess exited with code 137 (SIGKILL)\n',
  );
});

test('over the budget the middle goes, and how much of it', () => {
  expect(cutOutput(whole('0123456789'), 3)).toBe('0123456789');
  expect(cutOutput(whole('0123456789abcdef'), 2)).toBe('0123…2 tokens truncated…cdef');
});

test('cuts fall between characters', () => {
  expect(cutOutput(whole('中文字符输出'), 2)).toBe('中…3 tokens truncated…出');
});

test('what the buffer did not keep counts as left out, even where the rest is short', () => {
  const output = { head: 'first\n', tail: 'last\n', bytes: 4_000_000, omitted: 3_999_989 };
  expect(cutOutput(output, 100)).toBe('first\n…999998 tokens truncated…last\n');
});

test('a progress line is what it became, and colours are gone', () => {
  const progress = Array.from({ length: 20_000 }, (_, i) => `\r${i + 1}%`).join('');
  expect(cutOutput(whole(`a\r\n${progress}\n\u001b[31mDONE\u001b[0m\r\n`), 100)).toBe('a\n20000%\nDONE\n');
});

test.each([
  ['colours of every form', '\u001b[1;31ma\u001b[38:5:1mb\u009b0mc\u001b[0 qd', 'abcd'],
  [
    'links and titles',
    '\u001b]8;;http://x/\u001b\\link\u001b]8;;\u0007 \u001b]0;title\u0007\u001bPq#0\u001b\\end',
    'link end',
  ],
  ['short escapes', '\u001b7\u001b(B\u001b=text\u001b', 'text'],
  ['a string that has no end hides nothing', 'a\u001b]b\nc', 'ab\nc'],
])('escapes are gone: %s', (_what, printed, shown) => {
  expect(cutOutput(whole(printed), 100)).toBe(shown);
});

test.each([
  ['an escape that goes on and on', `\u001b${';#'.repeat(30_000)}`],
  ['many escapes that do not end', '\u001b[0;'.repeat(50_000)],
  ['many strings that do not end', '\u001b]0;'.repeat(50_000)],
  ['carriage returns in the middle of a line', `${'\r'.repeat(300_000)}x`],
])('no output stops the clock: %s', (_what, printed) => {
  const began = performance.now();
  cutOutput(whole(printed), 100);
  expect(performance.now() - began).toBeLessThan(2_000);
});
