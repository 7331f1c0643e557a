/**
 * The JSON of a request, in pieces: a conversation of many megabytes is then in memory twice while it is sent, as
 * itself and in bytes, instead of as one long text, too, and as copies of that.
 */

/** Characters of a piece, about. */
const PIECE = 256 * 1024;

export type JsonBody = { bytes: number; pieces: Buffer[] };

/** The same bytes as those of `JSON.stringify`. */
export function jsonBody(body: Record<string, unknown>): JsonBody {
  const pieces: Buffer[] = [];
  let [texts, length, bytes]: [string[], number, number] = [[], 0, 0];
  const end = () => {
    const piece = Buffer.from(texts.join(''));
    pieces.push(piece);
    bytes += piece.length;
    [texts, length] = [[], 0];
  };
  for (const text of textsOf(body)) {
    texts.push(text);
    length += text.length;
    if (length >= PIECE) end();
  }
  if (length > 0) end();
  return { bytes, pieces };
}

/** Arrays at the top, as the conversation is one, entry by entry. */
function* textsOf(body: Record<string, unknown>): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) yield* entriesOf(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* entriesOf(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const entry of list) {
    yield `${before}${JSON.stringify(entry) ?? 'null'}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
