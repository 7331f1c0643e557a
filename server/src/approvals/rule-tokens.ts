/** The words and signs of a rules file: as much of Starlark as rules are written in. */

export type Token = {
  kind: 'name' | 'string' | 'sign' | 'newline' | 'fault';
  /** Of a string what it means, of a fault what is wrong. */
  text: string;
  /** Offsets in the file, `end` behind the last character. */
  start: number;
  end: number;
  /** From 1. */
  line: number;
  /** From 0. */
  column: number;
  /** It follows a text over several lines that nobody closed, so it may belong to that. */
  isDoubtful: boolean;
};

/** Never throws: what cannot be read is a token of kind `fault`. Comments and blanks are left out. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const begin = text.startsWith('\ufeff') ? 1 : 0;
  let [at, line, lineStart, isDoubtful] = [begin, 1, begin, false];
  while (at < text.length) {
    const piece = pieceAt(text, at);
    const { kind, end } = piece;
    const place = { start: at, end, line, column: at - lineStart };
    if (kind !== 'blank') tokens.push({ kind, text: piece.text, ...place, isDoubtful });
    isDoubtful ||= piece.isLeftOpen === true;
    for (let i = text.indexOf('\n', at); i !== -1 && i < end; i = text.indexOf('\n', i + 1)) {
      line += 1;
      lineStart = i + 1;
    }
    at = end;
  }
  return tokens;
}

type Piece = { kind: Token['kind'] | 'blank'; text: string; end: number; isLeftOpen?: true };

/** What pieces begin with, in the order they are tried. A string is read on from its opening quote. */
const BEGINNINGS = [
  ['newline', /\n/y],
  ['blank', /[ \t\r\f]+|\\\r?\n|#[^\n]*/y],
  ['string', /r?(?:"""|'''|"|')/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['sign', /[()[\]=,;]/y],
] as const;

function pieceAt(text: string, at: number): Piece {
  for (const [kind, pattern] of BEGINNINGS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined)
      return kind === 'string' ? stringAt(text, at, found) : { kind, text: found, end: at + found.length };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return fault(`${JSON.stringify(character)} has no place here`, at + character.length);
}

function stringAt(text: string, at: number, opening: string): Piece {
  const quote = opening.replace('r', '');
  const start = at + opening.length;
  const close = closing(text, start, quote);
  if (close === null) {
    const newline = text.indexOf('\n', at);
    const left = fault('the string is not closed', newline === -1 ? text.length : newline);
    return quote.length === 3 ? { ...left, isLeftOpen: true } : left;
  }
  const raw = text.slice(start, close);
  const meant = opening.startsWith('r') ? raw : withoutEscapes(raw);
  const end = close + quote.length;
  return meant === null
    ? fault('the string holds an unknown escape', end)
    : { kind: 'string', text: meant, end };
}

function fault(text: string, end: number): Piece {
  return { kind: 'fault', text, end };
}

/** Where the string ends; null where it does not. One quote does not reach over its line. */
function closing(text: string, from: number, quote: string): number | null {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text.startsWith(quote, i)) return i;
    else if (text[i] === '\n' && quote.length === 1) return null;
  }
  return null;
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\r?\n)|([\s\S]))/g;

const MEANINGS: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
};

/** Null for an escape that Starlark does not know. */
function withoutEscapes(raw: string): string | null {
  let isKnown = true;
  const meant = raw.replace(ESCAPE, (_whole, x, u, long, octal, newline, other) => {
    if (newline !== undefined) return '';
    const point = octal === undefined ? Number.parseInt(x ?? u ?? long, 16) : Number.parseInt(octal, 8);
    const text = point <= 0x10ffff ? String.fromCodePoint(point) : MEANINGS[other];
    isKnown &&= text !== undefined;
    return text ?? '';
  });
  return isKnown ? meant : null;
}
