/** The calls a rules file is made of: `prefix_rule(pattern=["npm", "test"], decision="allow")` and its like. */
import { type Token, tokenize } from './rule-tokens.ts';

export type Value = string | Value[];

export type Call = {
  name: string;
  /** By name, or by position as `0`, `1`, … */
  args: ReadonlyMap<string, Value>;
  /** Offsets in the file, from its name to its closing parenthesis. */
  start: number;
  end: number;
  /** From 1. */
  line: number;
  /**
   * It may be part of something that could not be read (it is indented, or follows a text that nobody closed):
   * what it allows must not count.
   */
  isDoubtful: boolean;
};

export type Problem = { line: number; message: string };

/** Never throws: what cannot be read is a problem, and what follows it is read. */
export function readCalls(text: string): { calls: Call[]; problems: Problem[] } {
  const calls: Call[] = [];
  const problems: Problem[] = [];
  let isBranch = false;
  for (const { tokens, isContinued } of statementsOf(tokenize(text))) {
    // a text by itself is a comment
    if (tokens.length === 1 && tokens[0]?.kind === 'string') continue;
    const read = new CallReader(tokens).read();
    // `if x: this(); that()`
    isBranch = isContinued ? isBranch : 'message' in read || (tokens[0]?.column ?? 0) > 0;
    if ('message' in read) {
      problems.push(read);
      continue;
    }
    const isDoubtful = read.isDoubtful || isBranch;
    calls.push({ ...read, isDoubtful });
    if (isDoubtful) problems.push({ line: read.line, message: MAY_BE_PART });
  }
  return { calls, problems };
}

const MAY_BE_PART = 'it may be part of what stands above it, so it allows nothing';

/** `isContinued`: it stands in the line of the one before. */
type Statement = { tokens: Token[]; isContinued: boolean };

/**
 * A statement ends with its line, or with the line that closes its last bracket. A name with a parenthesis at the
 * very beginning of a line begins a new one, whatever was left open before.
 */
function statementsOf(tokens: readonly Token[]): Statement[] {
  const statements: Statement[] = [{ tokens: [], isContinued: false }];
  let depth = 0;
  tokens.forEach((token, i) => {
    // a line that a backslash continues is no beginning
    const isFirst = token.column === 0 && (tokens[i - 1]?.kind ?? 'newline') === 'newline';
    const isCall = isFirst && token.kind === 'name' && isSign(tokens[i + 1], '(');
    const isEnd = depth <= 0 && (token.kind === 'newline' || isSign(token, ';'));
    if (isCall || isEnd) {
      statements.push({ tokens: [], isContinued: isSign(token, ';') });
      depth = 0;
    }
    if (isEnd || token.kind === 'newline') return;
    if (isSign(token, '(') || isSign(token, '[')) depth += 1;
    if (isSign(token, ')') || isSign(token, ']')) depth -= 1;
    statements.at(-1)?.tokens.push(token);
  });
  return statements.filter((statement) => statement.tokens.length > 0);
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text;
}

/** One statement that ought to be a call. */
class CallReader {
  #at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  read(): Call | Problem {
    try {
      return this.#call();
    } catch (error) {
      if (error instanceof Unreadable) return { line: error.line, message: error.message };
      throw error;
    }
  }

  #call(): Call {
    const fault = this.tokens.find(({ kind }) => kind === 'fault');
    if (fault) throw new Unreadable(fault, fault.text);
    const name = this.#take();
    if (name.kind !== 'name' || !this.#skip('(')) throw new Unreadable(name, 'it is no rule');
    const args = new Map<string, Value>();
    while (!this.#skip(')')) {
      this.#argument(args);
      this.#comma(')', 'a comma or a closing parenthesis is missing');
    }
    const end = this.tokens[this.#at - 1]?.end ?? name.end;
    const rest = this.#peek();
    if (rest) throw new Unreadable(rest, 'something follows the closing parenthesis');
    const { text, start, line, isDoubtful } = name;
    return { name: text, args, start, end, line, isDoubtful };
  }

  #argument(args: Map<string, Value>): void {
    const first = this.#peek();
    const isNamed = first?.kind === 'name' && isSign(this.tokens[this.#at + 1], '=');
    const key = isNamed ? first.text : String(args.size);
    if (isNamed) this.#at += 2;
    if (args.has(key)) throw new Unreadable(first as Token, `${key} is given twice`);
    args.set(key, this.#value());
  }

  #value(): Value {
    const token = this.#take();
    if (token.kind === 'string') return token.text;
    if (!isSign(token, '['))
      throw new Unreadable(token, 'only texts in quotes and lists of them are read here');
    const values: Value[] = [];
    while (!this.#skip(']')) {
      values.push(this.#value());
      this.#comma(']', 'a comma or a closing bracket is missing');
    }
    return values;
  }

  /** A comma, or the sign that ends the list. */
  #comma(end: string, missing: string): void {
    if (this.#skip(',') || isSign(this.#peek(), end)) return;
    throw new Unreadable(this.#take(), missing);
  }

  #peek(): Token | undefined {
    return this.tokens[this.#at];
  }

  #take(): Token {
    const token = this.tokens[this.#at];
    if (token === undefined) throw new Unreadable(this.tokens[0] as Token, 'it is not closed');
    this.#at += 1;
    return token;
  }

  #skip(sign: string): boolean {
    const found = isSign(this.#peek(), sign);
    if (found) this.#at += 1;
    return found;
  }
}

/** Caught by whoever reads the statement. */
class Unreadable extends Error {
  readonly line: number;

  constructor(at: Token, message: string) {
    super(message);
    this.line = at.line;
  }
}
