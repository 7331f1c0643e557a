import { expect, test } from 'vitest';
import { terminalRuns, visibleText } from './terminal-text.ts';

const ESC = '\u001b';

test('plain text is one run, nothing is none', () => {
  expect(terminalRuns('<b>& text</b>\n\tx')).toEqual([{ text: '<b>& text</b>\n\tx' }]);
  expect(terminalRuns('')).toEqual([]);
});

test('colours and weights become runs', () => {
  expect(terminalRuns(`a ${ESC}[1;31mred${ESC}[0m ${ESC}[42mback${ESC}[m`)).toEqual([
    { text: 'a ' },
    { text: 'red', color: { name: 'ansi-red' }, decorations: ['bold'] },
    { text: ' ' },
    { text: 'back', background: { name: 'ansi-green' } },
  ]);
});

test('256 and true colours become CSS colours', () => {
  const colors = terminalRuns(`${ESC}[38;5;196ma${ESC}[38;5;244mb${ESC}[38;2;1;2;3mc`).map(
    (run) => run.color,
  );
  expect(colors).toEqual([{ rgb: 'rgb(255, 0, 0)' }, { rgb: 'rgb(128, 128, 128)' }, { rgb: 'rgb(1, 2, 3)' }]);
});

test('progress lines keep their last state, and the colour that was set before', () => {
  expect(visibleText('10 %\r50 %\r100 %\ndone\r\n')).toBe('100 %\ndone\n');
  expect(visibleText('50 %\r')).toBe('50 %');
  expect(terminalRuns(`${ESC}[32m10 %\r20 %${ESC}[0m`)).toEqual([
    { text: '20 %', color: { name: 'ansi-green' } },
  ]);
});

test('cursor movement, titles, links, charsets and bells are dropped', () => {
  expect(visibleText(`${ESC}[2J${ESC}[1;1Hat${ESC}[K${ESC}[?25l${ESC}(B${ESC}7\u0007`)).toBe('at');
  expect(visibleText(`${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b${ESC}]8;;${ESC}\\`)).toBe('ab');
  expect(visibleText(`${ESC}[>4;2mx${ESC}Pq#0${ESC}\\y`)).toBe('xy');
  expect(visibleText('a\u0000\u009bb\u007f')).toBe('ab');
});

test('an escape that is cut off leaves nothing behind', () => {
  expect(visibleText(`a${ESC}[3`)).toBe('a');
  expect(visibleText(`a${ESC}`)).toBe('a');
  expect(visibleText(`a${ESC}]0;tit`)).toBe('a');
});

test('backspaces take back what they stand after', () => {
  expect(visibleText('abc\b\bX')).toBe('aX');
  expect(visibleText('\bA')).toBe('A');
});

test('hostile input stays bounded', () => {
  const picture = `${ESC}[31mx${ESC}[32my`.repeat(20_000);
  const runs = terminalRuns(picture);
  expect(runs.length).toBeLessThanOrEqual(5_001);
  expect(runs.map((run) => run.text).join('')).toBe('xy'.repeat(20_000));
  expect(visibleText('\b'.repeat(50_000) + 'a'.repeat(50_000) + '\b'.repeat(50_000))).toBe('');
});

test('carriage returns in the middle of a line do not stop the page', () => {
  const began = performance.now();
  expect(visibleText(`${'\r'.repeat(64_000)}x`)).toBe('x');
  expect(performance.now() - began).toBeLessThan(2_000);
});
