/**
 * The demo model: a script in this process that answers where no model is configured. What it says is made up,
 * what its tool calls do is real. It keeps nothing between requests: the history tells it where it is.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { ModelClient, ModelEvent, ModelRequest } from './client.ts';
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

/** Words with the space behind them; Chinese by character. */
function words(text: string): string[] {
  return text.match(/[\u3000-\u9fff]|[^\s\u3000-\u9fff]+\s*|\s+/g) ?? [];
}
