import { expect, test } from 'vitest';
import { isPlainText, textParts } from './unseen-text.ts';

/** The parts in short: plain text as it is, the rest in brackets. */
const shown = (text: string) =>
  textParts(text)
    .map((part) => {
      if (part.kind === 'plain') return part.text;
      return part.kind === 'sign' ? `[${part.code} ${part.count}]` : `[${part.count} ${part.kind}]`;
    })
    .join('');

test.each([
  ['ls \u202e# ; hs | live', 'ls [U+202E 1]# ; hs | live'],
  ['a\u2066b\u2069', 'a[U+2066 1]b[U+2069 1]'],
  [`ls${'\u3164'.repeat(600)}; evil`, 'ls[U+3164 600]; evil'],
  ['a\0b\x1b[2Kc\rd\x7f\x9b', 'a[U+0000 1]b[U+001B 1][2Kc[U+000D 1]d[U+007F 1][U+009B 1]'],
  ['a\u00a0b\u3000c\u2003', 'a[U+00A0 1]b[U+3000 1]c[U+2003 1]'],
  [
    'a\u200bb\ufeffc\u00add\u2028e\u2800f\u115f',
    'a[U+200B 1]b[U+FEFF 1]c[U+00AD 1]d[U+2028 1]e[U+2800 1]f[U+115F 1]',
  ],
  ['rm\u{e0041}\ufe0f\u200d', 'rm[U+E0041 1][U+FE0F 1][U+200D 1]'],
  ['\ud800', '[U+D800 1]'],
  [`ls -la${'\n'.repeat(80)}touch evil`, 'ls -la[79 emptyLines]touch evil'],
  [`a\n${' \t\n'.repeat(9)}b`, 'a[9 emptyLines]b'],
  ['\n\n\n\n\nb', '[5 emptyLines]b'],
  ['\n   \n\n\n\n\nb', '[6 emptyLines]b'],
  [`a${' '.repeat(300)}b`, 'a[300 blanks]b'],
])('what is not seen is named: %j', (text, parts) => {
  expect(shown(text)).toBe(parts);
  expect(isPlainText(text)).toBe(false);
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test.each([
  'git commit -m "Ärger über 中文 и עברית"\n\n\tmake all\n    indented\n\n\nend',
  'done \u26a0\ufe0f \u{1f469}\u{1f3fd}\u200d\u{1f4bb} \u2764\ufe0f\u200d\u{1f525}',
  '',
])('what is seen stays as it is: %j', (text) => {
  expect(isPlainText(text)).toBe(true);
  expect(shown(text)).toBe(text);
});
