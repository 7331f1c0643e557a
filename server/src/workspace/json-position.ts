/** Where a text stops being JSON: `JSON.parse` itself does not always say. */

const blank = /[ \t\r\n]*/y;
const scalar =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Line and column, from 1, of the first token that does not belong; null for valid JSON. */
export function jsonErrorPosition(text: string): { line: number; column: number } | null {
  const at = new Scanner(text).errorAt();
  if (at === null) return null;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  errorAt(): number | null {
    const valid = this.value();
    this.skip(blank);
    return valid && this.at === this.text.length ? null : this.at;
  }

  /** Each of these leaves `at` at the offending token when it returns false. */
  private value(): boolean {
    this.skip(blank);
    if (this.next('{')) return this.list('}', () => this.member());
    if (this.next('[')) return this.list(']', () => this.value());
    return this.skip(scalar);
  }

  private member(): boolean {
    this.skip(blank);
    return this.text[this.at] === '"' && this.skip(scalar) && this.next(':') && this.value();
  }

  private list(end: string, element: () => boolean): boolean {
    if (this.next(end)) return true;
    do if (!element()) return false;
    while (this.next(','));
    return this.next(end);
  }

  private next(token: string): boolean {
    this.skip(blank);
    if (this.text[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return false;
    this.at += found[0].length;
    return true;
  }
}
