/** Has code read in a worker that is started with the first of it, and remembers what it read. */
import type { Runs } from './code-reader.ts';
import type { CodeReply, CodeRequest } from './code-worker.ts';
import type { TreeCode } from './tree.ts';

/** A worker that takes longer, in milliseconds, is lost in a grammar; the next block gets a new one. */
const PATIENCE = 20_000;
/** Characters of code whose runs are remembered: a session that was left and comes back has its colours at once. */
const REMEMBERED = 400_000;

export class RemoteCodeReader {
  #worker: Worker | undefined;
  readonly #known = new Map<string, Runs>();
  #size = 0;

  /** What was read of it before. */
  known({ text, language }: TreeCode): Runs | undefined {
    return this.#known.get(keyOf(text, language));
  }

  /** One at a time. null: it stays plain. */
  async read({ text, language }: TreeCode): Promise<Runs | null> {
    const known = this.#known.get(keyOf(text, language));
    if (known) return known;
    const runs = await this.#ask({ code: text, language });
    if (runs) this.#remember(keyOf(text, language), runs);
    return runs;
  }

  #ask(request: CodeRequest): Promise<Runs | null> {
    this.#worker ??= new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = new AbortController();
      const settle = (runs: Runs | null) => {
        end.abort();
        clearTimeout(timer);
        resolve(runs);
      };
      const giveUp = () => {
        worker.terminate();
        this.#worker = undefined;
        settle(null);
      };
      const timer = setTimeout(giveUp, PATIENCE);
      const { signal } = end;
      worker.addEventListener('message', ({ data }: MessageEvent<CodeReply>) => settle(data.runs), {
        signal,
      });
      worker.addEventListener('error', giveUp, { signal });
      worker.postMessage(request);
    });
  }

  #remember(key: string, runs: Runs): void {
    this.#known.set(key, runs);
    this.#size += key.length;
    for (const [oldest] of this.#known) {
      if (this.#size <= REMEMBERED) return;
      this.#known.delete(oldest);
      this.#size -= oldest.length;
    }
  }
}

const keyOf = (text: string, language: string): string => `${language}\n${text}`;
