/** A scripted provider of the Responses API on loopback: answers in the order they were queued, keeps what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ModelRequest = {
  model: string;
  instructions?: string;
  input: Record<string, unknown>[];
  tools: { name: string }[];
  [key: string]: unknown;
};

/** What an answer is made of, in order. */
export type Step =
  | { text: string }
  | { reasoning: string }
  | { call: string; args: unknown }
  | { custom: string; input: string }
  /** An output item as it stands, however odd. */
  | { item: object }
  /** Goes on when the promise resolves. */
  | { wait: Promise<unknown> }
  | { delay: number }
  /** Ends the connection without a terminal event. */
  | { cut: true }
  | { failed: { code: string; message: string } }
  /** What the answer says it took, instead of what each says; null: nothing. */
  | { usage: { input: number; cached?: number; output?: number; reasoning?: number } | null }
  /** The last step: the answer ends early, for this reason. */
  | { incomplete: string };

/** An answer, a status with a body that is none, the bytes of a stream in pieces, or nothing at all. */
export type Answer =
  | Step[]
  | ((request: ModelRequest) => Step[])
  | { status: number; body: string; type?: string; headers?: Record<string, string> }
  | { pieces: Uint8Array[] }
  | 'silence';

export class FakeModel {
  readonly requests: ModelRequest[] = [];
  /** When each of them arrived, by `performance.now()`. */
  readonly askedAt: number[] = [];
  /** Whether a message is told of before its words, as providers do it: Codex shows no words of one that is not. */
  announces = false;
  readonly #answers: Answer[] = [];
  readonly #arrivals = new Set<() => void>();
  #count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeModel> {
    const server = createServer((request, response) => {
      model.#serve(request, response).catch((error) => response.destroy(error));
    });
    const model: FakeModel = new FakeModel(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  answer(...answers: Answer[]): void {
    this.#answers.push(...answers);
  }

  /** Forgets what it was asked and what it was to answer. */
  reset(): void {
    this.requests.length = 0;
    this.askedAt.length = 0;
    this.#answers.length = 0;
  }

  /** Resolves once `n` requests in all have arrived. */
  async asked(n: number): Promise<void> {
    while (this.requests.length < n) await new Promise<void>((resolve) => this.#arrivals.add(resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted' }, { id: 'scripted-large' }] }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest;
    this.requests.push(body);
    this.askedAt.push(performance.now());
    const arrivals = [...this.#arrivals];
    this.#arrivals.clear();
    for (const arrive of arrivals) arrive();
    const next = this.#answers.shift() ?? [{ text: 'OK.' }];
    const answer = typeof next === 'function' ? next(body) : next;
    if (answer === 'silence') return;
    if ('pieces' in answer) await this.#send(answer.pieces, response);
    else if ('status' in answer) {
      const { status, type = 'application/json', headers } = answer;
      response.writeHead(status, { 'content-type': type, ...headers }).end(answer.body);
    } else await this.#stream(answer, body.model, response);
  }

  async #send(pieces: Uint8Array[], response: ServerResponse): Promise<void> {
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) await new Promise((sent) => response.write(piece, sent));
    response.end();
  }

  async #stream(steps: Step[], model: string, response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const send = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    const id = `resp_${++this.#count}`;
    send('response.created', { response: { id, status: 'in_progress', model } });
    const output: object[] = [];
    let took: object | null = usageOf({ input: 1000, output: 20 });
    let message: { id: string; text: string } | null = null;
    const done = (item: object) => {
      send('response.output_item.done', { output_index: output.length, item });
      output.push(item);
    };
    const closeMessage = () => {
      if (!message) return;
      const content = [{ type: 'output_text', text: message.text, annotations: [] }];
      done({ type: 'message', id: message.id, role: 'assistant', status: 'completed', content });
      message = null;
    };
    for (const step of steps) {
      if (response.destroyed) return;
      if ('wait' in step) await step.wait;
      else if ('usage' in step) took = step.usage && usageOf(step.usage);
      else if ('delay' in step) await new Promise((resolve) => setTimeout(resolve, step.delay));
      else if ('cut' in step) {
        // what was sent before has left this process
        await new Promise((sent) => response.write(':\n\n', sent));
        response.destroy();
        return;
      } else if ('failed' in step) {
        send('response.failed', { response: { id, status: 'failed', error: step.failed } });
        response.end();
        return;
      } else if ('incomplete' in step) {
        closeMessage();
        const incomplete_details = { reason: step.incomplete };
        send('response.incomplete', {
          response: { id, status: 'incomplete', incomplete_details, output },
        });
        response.end();
        return;
      } else if ('text' in step) {
        if (!message) {
          message = { id: `msg_${++this.#count}`, text: '' };
          const item = { type: 'message', id: message.id, role: 'assistant', content: [] };
          if (this.announces) send('response.output_item.added', { output_index: output.length, item });
        }
        message.text += step.text;
        send('response.output_text.delta', {
          item_id: message.id,
          output_index: output.length,
          delta: step.text,
        });
      } else {
        closeMessage();
        done(this.#item(step));
      }
    }
    closeMessage();
    send('response.completed', { response: { id, status: 'completed', model, output, usage: took } });
    response.end();
  }

  #item(
    step: Extract<Step, { reasoning: string } | { call: string } | { custom: string } | { item: object }>,
  ): object {
    if ('item' in step) return step.item;
    const n = ++this.#count;
    if ('reasoning' in step)
      return { type: 'reasoning', id: `rs_${n}`, summary: [{ type: 'summary_text', text: step.reasoning }] };
    if ('call' in step)
      return {
        type: 'function_call',
        id: `fc_${n}`,
        call_id: `call_${n}`,
        name: step.call,
        arguments: JSON.stringify(step.args),
      };
    return {
      type: 'custom_tool_call',
      id: `ctc_${n}`,
      call_id: `call_${n}`,
      name: step.custom,
      input: step.input,
    };
  }
}

function usageOf({
  input,
  cached = 0,
  output = 0,
  reasoning = 0,
}: Record<string, number> & { input: number }) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** Text in words, a short while apart, so that a reader sees it grow. */
export function slowly(text: string, delay = 20): Step[] {
  return (text.match(/\S+\s*/g) ?? []).flatMap((word) => [{ text: word }, { delay }]);
}
