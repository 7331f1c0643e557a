/** The test double of the product: a model that gives scripted answers and remembers what it was asked. */
import { v7 as uuid } from 'uuid';
import type { ResponseItem } from '../base/response-items.ts';
import type { ModelClient, ModelEvent, ModelRequest } from './client.ts';

/** One answer: its events, or something to do (wait, throw) between them. */
export type ScriptedAnswer = (
  request: ModelRequest,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent> | Iterable<ModelEvent>;

export class ScriptedModel implements ModelClient {
  readonly provider = 'scripted';
  readonly requests: ModelRequest[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    // the history goes on growing after the request went out
    this.requests.push({ ...request, input: [...request.input] });
    const answer = this.#answers.shift() ?? says('(the script is over)');
    for await (const event of answer(request, signal)) {
      signal.throwIfAborted();
      yield event;
    }
  }

  async listModels(_signal?: AbortSignal): Promise<string[]> {
    return ['scripted-1', 'scripted-2'];
  }
}

const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, reasoningTokens: 0, totalTokens: 15 };

/** A message, word by word, and the calls after it. */
export function says(text: string, ...calls: ResponseItem[]): ScriptedAnswer {
  return function* () {
    const id = `msg_${uuid()}`;
    for (const delta of text.match(/\S+\s*|\s+/g) ?? []) yield { type: 'text', itemId: id, delta };
    if (text) {
      const content = [{ type: 'output_text' as const, text }];
      yield { type: 'item', item: { type: 'message', role: 'assistant', id, content } };
    }
    for (const item of calls) yield { type: 'item', item };
    yield { type: 'completed', usage };
  };
}

/** Streams `text`, then waits until the turn is interrupted. */
export function hangsAfter(text: string): ScriptedAnswer {
  return async function* (_request, signal) {
    yield { type: 'text', itemId: 'msg_hanging', delta: text };
    await new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
}

export function calls(name: string, args: unknown, callId = `call_${uuid()}`): ResponseItem {
  return { type: 'function_call', call_id: callId, name, arguments: JSON.stringify(args) };
}

export function callsCustom(name: string, input: string, callId = `call_${uuid()}`): ResponseItem {
  return { type: 'custom_tool_call', call_id: callId, name, input };
}
