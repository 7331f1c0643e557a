/**
 * Server-sent events from a provider, as parsed JSON. Framing is read as the standard has it (BOM, CRLF cut
 * anywhere, comments, several data lines), and a last event without its blank line counts too.
 */
import { createParser } from 'eventsource-parser';

/** `event` is the SSE field of that name; `data` is the parsed JSON. */
export type SseMessage = { event: string | undefined; data: unknown };

/** What came is no JSON event. `excerpt` is its beginning; `within`: others were, before it. */
export class SseSyntaxError extends Error {
  override readonly name = 'SseSyntaxError';
  constructor(
    readonly excerpt: string,
    readonly within: boolean,
  ) {
    super(`not a stream of JSON events: ${excerpt}`);
  }
}

/** Characters of one event; far above any real one, low enough to hold. */
const EVENT_LIMIT = 64 * 1024 * 1024;
const EXCERPT = 120;

/** Yields messages as they become whole. Throws `SseSyntaxError`, and whatever reading the bytes throws. */
export async function* readSse(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage> {
  const decoder = new TextDecoder();
  const framing = new Framing();
  for await (const chunk of bytes) yield* framing.push(decoder.decode(chunk, { stream: true }));
  yield* framing.end(decoder.decode());
}

/** Text in, messages out. The library parses; this feeds it so that time stays linear and memory bounded. */
class Framing {
  private readonly messages: SseMessage[] = [];
  private readonly parser = createParser({
    onEvent: (event) => this.onEvent(event.event, event.data),
    onError: (error) => {
      this.oddLine ??= error.line ?? '';
    },
  });
  /** Text without a line end so far: the library would search it anew with every piece. */
  private held: string[] = [];
  private open = 0;
  private seen = 0;
  private ending = false;
  private oddLine: string | undefined;

  push(text: string): SseMessage[] {
    this.open += text.length;
    if (this.open > EVENT_LIMIT) throw this.error(`one event of over ${EVENT_LIMIT} characters`);
    this.held.push(text);
    if (/[\r\n]/.test(text)) this.feed(this.held.splice(0).join(''));
    return this.messages.splice(0);
  }

  end(rest: string): SseMessage[] {
    this.ending = true;
    this.feed(`${this.held.join('')}${rest}\n\n`);
    if (this.seen === 0 && this.oddLine !== undefined) throw this.error(this.oddLine);
    return this.messages.splice(0);
  }

  /** Line by line: the library looks for `\r` up to the end of what it gets, for each line of it. */
  private feed(text: string): void {
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start) + 1 || text.length;
      this.parser.feed(text.slice(start, end));
      start = end;
    }
  }

  private onEvent(event: string | undefined, data: string): void {
    this.open = 0;
    if (data.trim() === '' || data === '[DONE]') return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(data);
    } catch {
      if (this.ending) return; // the connection broke within an event; the reader misses its last one
      throw this.error(data);
    }
    this.seen += 1;
    this.messages.push({ event, data: parsed });
  }

  private error(text: string): SseSyntaxError {
    const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
    return new SseSyntaxError(excerpt, this.seen > 0);
  }
}
