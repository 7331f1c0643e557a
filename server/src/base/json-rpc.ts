/**
 * JSON-RPC as Codex's app-server speaks it, for either end: a line a message, `jsonrpc` is never written. Both sides
 * number their own requests, so that a method tells a request from an answer.
 */
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { parsedLine, readLines } from './lines.ts';

export type RpcId = number | string;
export type RpcNotification = { method: string; params: unknown };
export type RpcRequest = RpcNotification & { id: RpcId };
/** What an end answers a request with that it refuses. */
export type RpcRefusal = { code: number; message: string; data?: unknown };

/** The codes of the standard. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;

export interface RpcListener {
  notified(notification: RpcNotification): void;
  asked(request: RpcRequest): void;
  /**
   * A line that is no message; without this it is passed over. `id`: of the request that it was to be; one of an answer
   * is not told, because its number is another's in what goes back.
   */
  malformed?(refusal: RpcRefusal, id: RpcId | null): void;
}

const id = z.union([z.number(), z.string()]);
const refusal = z.object({
  code: z.number().catch(INTERNAL_ERROR),
  message: z.string().catch(''),
  data: z.unknown().optional(),
});
const message = z.object({
  id: id.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  // many write both, one of them null
  error: refusal.nullish().catch({ code: INTERNAL_ERROR, message: '' }),
});
const request = z.object({ id, method: z.unknown().refine((given) => given !== undefined) });
const reply = z.object({ id: z.number(), method: z.undefined().optional() });

type Waiting = { resolve(result: unknown): void; reject(why: unknown): void };

/** What a call rejects with that the other end has refused. */
export class RpcRefused extends Error {
  constructor(readonly refusal: RpcRefusal) {
    super(refusal.message);
  }
}

export class JsonRpc {
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #gone: { why: Error } | null = null;

  constructor(
    from: Readable,
    private readonly to: Writable,
    private readonly listener: RpcListener,
    lineLimit?: number,
  ) {
    const tooLong = () => this.#malformed({ code: INVALID_REQUEST, message: 'a line is too long' });
    readLines(from, (line) => this.#take(line), lineLimit, tooLong);
    // whoever reads or writes learns from the end of the process
    for (const stream of [from, to]) stream.on('error', () => undefined);
  }

  /** `sent`: told the request's number. Rejects with `RpcRefused`, and with why the other end has gone. */
  call(method: string, params: object, sent: (number: number) => void = () => undefined): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone.why);
    const number = this.#next++;
    const answered = new Promise<unknown>((resolve, reject) =>
      this.#waiting.set(number, { resolve, reject }),
    );
    sent(number);
    this.send({ id: number, method, params });
    return answered;
  }

  /** Nobody waits for the answer to this request any more. */
  forget(number: number): void {
    this.#waiting.delete(number);
  }

  answer({ id }: Pick<RpcRequest, 'id'>, result: object): void {
    this.send({ id, result });
  }

  /** `id`: null for what cannot be told to be an answer to anything. */
  refuse({ id }: { id: RpcId | null }, error: RpcRefusal): void {
    this.send({ error, id });
  }

  /** Nothing comes any more. */
  end(why: Error): void {
    this.#gone = { why };
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }

  send(sent: object): void {
    if (this.to.writable) this.to.write(`${JSON.stringify(sent)}\n`);
  }

  #take(line: string): void {
    const value = parsedLine(line);
    const read = message.safeParse(value).data;
    if (read?.method !== undefined) this.#taken(read.method, read);
    else if (read && (read.result !== undefined || read.error)) this.#settle(read);
    else if (value === null)
      this.#malformed({ code: PARSE_ERROR, message: 'a line is no JSON; each message is one line of it' });
    else this.#noMessage(value);
  }

  /** Whoever waits for the answer that it was to be would wait for ever. */
  #noMessage(value: unknown): void {
    const error = { code: INVALID_REQUEST, message: 'a message has neither a method nor a result' };
    const answers = reply.safeParse(value).data;
    if (answers) this.#settle({ id: answers.id, error });
    this.#malformed(error, request.safeParse(value).data?.id);
  }

  #taken(method: string, { id, params }: z.infer<typeof message>): void {
    if (id === undefined) this.listener.notified({ method, params });
    else this.#ask({ id, method, params });
  }

  #malformed(refusal: RpcRefusal, id: RpcId | null = null): void {
    this.listener.malformed?.(refusal, id);
  }

  /** A fault of whoever is asked is a no: thrown into the stream's handler, it would end the process. */
  #ask({ id, method, params }: RpcRequest): void {
    try {
      this.listener.asked({ id, method, params });
    } catch {
      this.refuse({ id }, { code: INTERNAL_ERROR, message: 'it could not be taken here' });
    }
  }

  #settle({ id, result, error }: z.infer<typeof message>): void {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (typeof id === 'number') this.#waiting.delete(id);
    if (error) waiting?.reject(new RpcRefused(error));
    else waiting?.resolve(result);
  }
}
