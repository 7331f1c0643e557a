/**
 * Emphasis where CommonMark's rules fall short. They tell an opening `**` from a closing one by the spaces and
 * punctuation around it, and CJK text has no spaces: `这是**我想做的事。**所以` stays literal. As in the amendment
 * proposed for the specification (commonmark-spec issue 650), CJK letters and full-width punctuation next to a
 * run of `*` do not forbid it to open or close. And a `*` inside a formula is never emphasis.
 */
import { Tokenizer, type Tokens } from 'marked';
import { matchInline } from './math.ts';

const CJK =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef\u2018-\u201d\u2026\u2014]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const STAR_RUN = /([^*]?)(\*+)(?=(.?))/gsu;

/** Punctuation that must not decide, because it is CJK or stands across the stars from CJK. */
const isRelaxed = (mark: string, across: string): boolean =>
  PUNCTUATION.test(mark) && (CJK.test(mark) || CJK.test(across));

/**
 * The tokenizer's view of where emphasis may end, with the same length as `masked`: formulas and the punctuation
 * that must not decide are covered with letters. `source` is the inline text before any masking.
 */
export function maskEmphasis(source: string, masked: string): string {
  const withoutMath = coverFormulas(source, masked);
  if (!withoutMath.includes('*') || !CJK.test(withoutMath)) return withoutMath;
  const chars = withoutMath.split('');
  for (const match of withoutMath.matchAll(STAR_RUN)) {
    const [, before = '', stars = '', after = ''] = match;
    const end = match.index + before.length + stars.length;
    if (isRelaxed(before, after)) cover(chars, match.index, match.index + before.length);
    if (isRelaxed(after, before)) cover(chars, end, end + after.length);
  }
  return chars.join('');
}

/** A code span, an escape, or a character a formula can begin with. */
const STEP = /(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\[^([]|[$\\]/g;

function coverFormulas(source: string, masked: string): string {
  if (!/[$\\]/.test(source)) return masked;
  const chars = masked.split('');
  STEP.lastIndex = 0;
  for (let step = STEP.exec(source); step; step = STEP.exec(source)) {
    if (step[0] !== '$' && step[0] !== '\\') continue;
    const formula = matchInline(source.slice(step.index), source.charAt(step.index - 1));
    if (!formula) continue;
    STEP.lastIndex = step.index + formula.raw.length;
    cover(chars, step.index, STEP.lastIndex);
  }
  return chars.join('');
}

function cover(chars: string[], from: number, to: number): void {
  chars.fill('a', from, to);
}

/** marked's rule for `*` and `_`, told that CJK punctuation may follow a `*` that opens. */
export function emStrong(
  this: Tokenizer,
  source: string,
  masked: string,
  before = '',
): Tokens.Em | Tokens.Strong | undefined {
  const next = /^\*+([^*])/u.exec(source)?.[1];
  const opens = next !== undefined && before !== '*' && isRelaxed(next, before);
  return Tokenizer.prototype.emStrong.call(this, source, masked, opens ? '' : before);
}
