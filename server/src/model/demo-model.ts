/**
 * The demo model: a script in this process that answers where no model is configured. What it says is made up,
 * what its tool calls do is real. It keeps nothing between requests: the history tells it where it is.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import compaction from '@tscodex/prompts/compaction.md';
import { textOf } from '../base/response-items.ts';
import { type ModelClient, type ModelEvent, ModelFailure, type ModelRequest } from './client.ts';
import { readScene } from './demo-scene.ts';
import { nextAnswer } from './demo-script.ts';

/** Milliseconds between two words: quick reading speed. */
const WORD_DELAY_MS = 25;

export class DemoModel implements ModelClient {
  readonly provider = 'demo';
  private readonly wordDelayMs: number;

  constructor(options: { wordDelayMs?: number } = {}) {
    this.wordDelayMs = options.wordDelayMs ?? WORD_DELAY_MS;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (isToSumUp(request)) throw new ModelFailure('bad-request', NO_SUMMARY);
    const { text, call } = nextAnswer(readScene(request.input));
    if (text) {
      const itemId = `msg_${randomUUID()}`;
      for (const delta of words(text)) {
        await this.pause(signal);
        yield { type: 'text', itemId, delta };
      }
      const content = [{ type: 'output_text' as const, text }];
      yield { type: 'item', item: { type: 'message', role: 'assistant', id: itemId, content } };
    }
    signal.throwIfAborted();
    if (call) yield { type: 'item', item: call };
    yield { type: 'completed', usage: null };
  }

  async listModels(): Promise<string[]> {
    return ['demo'];
  }

  private async pause(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.wordDelayMs === 0) return;
    await after(this.wordDelayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** A summary would take the conversation's place, and the script its thread from it. */
const NO_SUMMARY =
  'The demo model follows a script and cannot sum a conversation up. Set a model up in config.toml to try that.';

function isToSumUp({ input }: ModelRequest): boolean {
  const last = input.at(-1);
  const [opening = ''] = compaction.split(':');
  return last?.type === 'message' && textOf(last).startsWith(opening);
}

/** Words with the space behind them; Chinese by character. */
function words(text: string): string[] {
  return text.match(/[\u3000-\u9fff]|[^\s\u3000-\u9fff]+\s*|\s+/g) ?? [];
}
