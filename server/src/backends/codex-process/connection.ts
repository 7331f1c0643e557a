/** The connection to Codex's app-server. A line that is no message is passed over. */
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import {
  JsonRpc,
  METHOD_NOT_FOUND,
  type RpcNotification,
  RpcRefused,
  type RpcRequest,
} from '../../base/json-rpc.ts';

export type CodexRequest = RpcRequest;

/** What Codex has answered, checked. Throws `codex.reply`. */
export function replyOf<T>(schema: z.ZodType<T>, method: string, reply: unknown): T {
  const read = schema.safeParse(reply);
  if (read.success) return read.data;
  throw new Failure(
    'unavailable',
    'codex.reply',
    `Codex answered ${method} with something that is not understood here: use the version that this server was tested with, or update the server.`,
    { details: { method, reason: z.prettifyError(read.error) } },
  );
}

export class CodexConnection {
  readonly #rpc: JsonRpc;

  constructor(
    from: Readable,
    to: Writable,
    listener: { notified(notification: RpcNotification): void; asked(request: CodexRequest): void },
  ) {
    this.#rpc = new JsonRpc(from, to, listener);
  }

  /** Rejects with `codex.request` for what Codex refuses, and with why it has gone. */
  async call(method: string, params: object): Promise<unknown> {
    try {
      return await this.#rpc.call(method, params);
    } catch (error) {
      if (!(error instanceof RpcRefused)) throw error;
      const { message: reason, data } = error.refusal;
      throw new Failure('unavailable', 'codex.request', `Codex refused ${method}: ${reason}`, {
        details: { method, reason, ...(data === undefined ? {} : { data }) },
      });
    }
  }

  notify(method: string): void {
    this.#rpc.send({ method });
  }

  answer(request: CodexRequest, result: object): void {
    this.#rpc.answer(request, result);
  }

  /** Codex takes it for a no. */
  refuse(request: CodexRequest, reason: string): void {
    this.#rpc.refuse(request, { code: METHOD_NOT_FOUND, message: reason });
  }

  /** Nothing comes any more. */
  end(why: Failure): void {
    this.#rpc.end(why);
  }
}
