/**
 * JSON-RPC with Codex's app-server: a line a message. Both sides number their own requests, so that a method tells a
 * request from an answer; `jsonrpc` is never there. A line that is no message is passed over.
 */
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import type { Notification } from '../codex-events/codex-events.ts';
import { parsedLine, readLines } from '../codex-process/lines.ts';

const id = z.union([z.number(), z.string()]);
const message = z.object({
  id: id.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string().catch(''), data: z.unknown().optional() }).optional(),
});

export type CodexRequest = Notification & { id: number | string };

type Waiting = { method: string; resolve(result: unknown): void; reject(error: Failure): void };

export class CodexConnection {
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #gone: Failure | null = null;

  constructor(
    from: Readable,
    private readonly to: Writable,
    private readonly listener: {
      notified(notification: Notification): void;
      asked(request: CodexRequest): void;
    },
  ) {
    readLines(from, (line) => this.#take(line));
    // whoever reads or writes learns from the end of the process
    for (const stream of [from, to]) stream.on('error', () => undefined);
  }

  /** Rejects with `codex.request` for what Codex refuses, and with why it has gone. */
  call(method: string, params: object): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    const number = this.#next++;
    const answered = new Promise<unknown>((resolve, reject) =>
      this.#waiting.set(number, { method, resolve, reject }),
    );
    this.#send({ id: number, method, params });
    return answered;
  }

  notify(method: string): void {
    this.#send({ method });
  }

  answer(request: CodexRequest, result: object): void {
    this.#send({ id: request.id, result });
  }

  /** Codex takes it for a no. */
  refuse(request: CodexRequest, reason: string): void {
    this.#send({ id: request.id, error: { code: -32601, message: reason } });
  }

  /** Nothing comes any more. */
  end(why: Failure): void {
    this.#gone = why;
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }

  #send(sent: object): void {
    if (this.to.writable) this.to.write(`${JSON.stringify(sent)}\n`);
  }

  #take(line: string): void {
    const read = message.safeParse(parsedLine(line)).data;
    if (!read) return;
    const { id, method, params } = read;
    if (method !== undefined && id !== undefined) this.#ask({ id, method, params });
    else if (method !== undefined) this.listener.notified({ method, params });
    else if (typeof id === 'number') this.#settle(id, read);
  }

  /** A fault of whoever is asked is a no: thrown into the stream's handler, it would end the server. */
  #ask(request: CodexRequest): void {
    try {
      this.listener.asked(request);
    } catch {
      this.refuse(request, 'it could not be taken here');
    }
  }

  #settle(number: number, { result, error }: z.infer<typeof message>): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (!error) {
      waiting?.resolve(result);
      return;
    }
    const method = waiting?.method;
    const reason = error.message;
    waiting?.reject(
      new Failure('unavailable', 'codex.request', `Codex refused ${method}: ${reason}`, {
        details: { method, reason, ...(error.data === undefined ? {} : { data: error.data }) },
      }),
    );
  }
}
