/** For tests: a model for a session and the agents that its agent starts, each with a script of its own. */
import { textOf } from '../base/response-items.ts';
import { isSaidByPeople } from '../base/said-by-people.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../model/client.ts';
import { type ScriptedAnswer, says } from '../model/scripted-model.ts';

/** Scripts by the first words that were said in a conversation; an answer serves one request. */
export class AgentsModel implements ModelClient {
  readonly provider = 'scripted';
  readonly requests: ModelRequest[] = [];

  constructor(private readonly scripts: Record<string, ScriptedAnswer[]>) {}

  /** The requests of the conversation that these words have begun. */
  of(words: string): ModelRequest[] {
    return this.requests.filter((request) => firstWords(request) === words);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.requests.push({ ...request, input: [...request.input] });
    const answer = this.scripts[firstWords(request)]?.shift() ?? says('(the script is over)');
    for await (const event of answer(request, signal)) {
      signal.throwIfAborted();
      yield event;
    }
  }

  async listModels(): Promise<string[]> {
    return [];
  }
}

function firstWords({ input }: ModelRequest): string {
  const first = input.find(isSaidByPeople);
  return first ? textOf(first) : '';
}
