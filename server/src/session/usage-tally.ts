/**
 * What a session has used of its models, request by request: carried on in memory, and folded anew from the counts
 * in its file.
 */
import type { Usage } from '@tscodex/shared/events';

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
};

/** By the name of the model; '' where nobody recorded it. */
export type UsageByModel = ReadonlyMap<string, Usage>;

export class UsageTally {
  #last: Usage | null = null;
  #context: Usage | null = null;
  #total = new Map<string, Usage>();
  #turn = new Map<string, Usage>();
  #turnId: string | null = null;
  #turnRuns = false;

  /** Of the newest request; null until a model has told. */
  get last(): Usage | null {
    return this.#last;
  }

  /**
   * `totalTokens` is what the conversation takes now, the rest is of the request that told. See `estimated`. null while nobody knows.
   */
  get context(): Usage | null {
    return this.#context;
  }

  get total(): UsageByModel {
    return this.#total;
  }

  /** Of the running turn, else of the newest. */
  get turn(): UsageByModel {
    return this.#turn;
  }

  /** A turn runs from here on. One that only goes on keeps what it has. Returns whether it is another one. */
  turnStarted(id: string): boolean {
    this.#turnRuns = true;
    if (id === this.#turnId) return false;
    this.#turnId = id;
    this.#turn = new Map();
    return true;
  }

  /**
   * Where it was answered and no model has told what that took, nobody knows what the conversation takes any more.
   * Returns whether that changed something.
   */
  turnEnded(answered: boolean): boolean {
    this.#turnRuns = false;
    if (!answered || this.#turn.size > 0 || this.#context === null) return false;
    this.#context = null;
    return true;
  }

  /** A request of the conversation itself. */
  add(usage: Usage, model: string): void {
    this.addAside(usage, model);
    this.#context = usage;
  }

  /** A request beside the conversation: a summary, a fork. */
  addAside(usage: Usage, model: string): void {
    this.#last = usage;
    this.#total.set(model, plus(this.#total.get(model) ?? NO_USAGE, usage));
    if (this.#turnRuns) this.#turn.set(model, plus(this.#turn.get(model) ?? NO_USAGE, usage));
  }

  /** What was used before anybody kept account of it. */
  addUntold(usage: Usage): void {
    this.#total.set('', plus(this.#total.get('') ?? NO_USAGE, usage));
  }

  /** null: nobody knows. */
  setContext(context: Usage | null): void {
    this.#context = context;
  }
}

export function estimated(tokens: number): Usage {
  return { ...NO_USAGE, totalTokens: tokens };
}

/** An estimate is of no request, so nothing went in. */
export function isEstimate(context: Usage): boolean {
  return context.inputTokens === 0;
}

export function sumOf(usage: UsageByModel): Usage {
  return [...usage.values()].reduce(plus, NO_USAGE);
}

export function plus(a: Usage, b: Usage): Usage {
  return each((key) => a[key] + b[key]);
}

/** Nothing below zero. */
export function minus(a: Usage, b: Usage): Usage {
  return each((key) => Math.max(0, a[key] - b[key]));
}

function each(value: (key: keyof Usage) => number): Usage {
  return {
    inputTokens: value('inputTokens'),
    cachedInputTokens: value('cachedInputTokens'),
    outputTokens: value('outputTokens'),
    reasoningTokens: value('reasoningTokens'),
    totalTokens: value('totalTokens'),
  };
}
