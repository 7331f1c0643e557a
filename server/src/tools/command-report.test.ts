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
