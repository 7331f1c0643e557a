/**
 * What a text of others holds that a page does not show, or shows in another place than it stands: control,
 * direction and invisible characters, unusual blanks, lines and blanks enough to push the rest out of view. Pure.
 */

/** The parts of a text, in their order; all their `text`s together are the text. */
export type TextPart =
  | { kind: 'plain'; text: string }
  /** The same unseen character, once or several times: `U+202E`. */
  | { kind: 'sign'; text: string; code: string; count: number }
  /** Empty lines with the ends of line around them; blanks in a line. */
  | { kind: 'emptyLines' | 'blanks'; text: string; count: number };

/** Empty lines, and blanks, one after the other that nobody needs. */
const EMPTY_LINES = 4;
const BLANKS = 64;

/** How an emoji is put together is no secret. */
const OF_AN_EMOJI =
  '(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?)\\ufe0f' +
  '|(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\ufe0f]?)\\u200d(?=\\p{Extended_Pictographic})';

const UNSEEN = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Default_Ignorable_Code_Point}\\u2800]';

const PARTS = new RegExp(
  [
    `(?<lines>(?:^|\\n)(?:[ \\t]*\\n){${EMPTY_LINES},})`,
    `(?<blanks>[ \\t]{${BLANKS},})`,
    `(?<sign>(?![ \\t\\n]|${OF_AN_EMOJI})${UNSEEN})\\k<sign>*`,
  ].join('|'),
  'gu',
);

/** Whether a page shows the text as it is by itself. */
export function isPlainText(text: string): boolean {
  return text.search(PARTS) < 0;
}

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let next = 0;
  for (const match of text.matchAll(PARTS)) {
    if (match.index > next) parts.push({ kind: 'plain', text: text.slice(next, match.index) });
    parts.push(unseenPart(match));
    next = match.index + match[0].length;
  }
  if (next < text.length) parts.push({ kind: 'plain', text: text.slice(next) });
  return parts;
}

function unseenPart({ 0: text, index, groups }: RegExpExecArray): TextPart {
  const { sign } = groups ?? {};
  if (sign !== undefined) return { kind: 'sign', text, code: codeOf(sign), count: text.length / sign.length };
  if (groups?.blanks !== undefined) return { kind: 'blanks', text, count: text.length };
  const ends = text.split('\n').length - 1;
  // the first end of line is that of the line before
  return { kind: 'emptyLines', text, count: index === 0 ? ends : ends - 1 };
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
