/** What the configuration says about models by their name: `[tscodex.models."NAME"]` and `[tscodex.prices."PREFIX"]`. */
import type { LayerSettings } from './config-layer.ts';

/** What is known otherwise about a model, or not at all. */
export type ModelOverrides = {
  /** Tokens. */
  contextWindow?: number;
  /** Percent of the window that a conversation may use. */
  effectiveContextWindowPercent?: number;
  /** The reasoning efforts it takes, from the least. */
  efforts?: readonly string[];
  defaultEffort?: string;
  /** What is asked for where nothing else is said. */
  verbosity?: string;
  serviceTiers?: readonly string[];
  /** Whether it wants its tools in the input, as Codex's newest models do. */
  responsesLite?: boolean;
  images?: boolean;
  /** Whether patches come as free text or as a function's argument. */
  toolStyle?: 'freeform' | 'function';
};

/** For a million tokens each. */
export type ModelPrice = { input: number; cachedInput: number; output: number };

export type Prices = {
  /** `USD`, or what is written in its place. */
  currency: string;
  /** By the beginning of a model's name. */
  models: Readonly<Record<string, ModelPrice>>;
};

export function readModelOverrides({ tscodex }: LayerSettings): Record<string, ModelOverrides> {
  return mapValues(tscodex?.models ?? {}, (table) => ({
    contextWindow: table.context_window,
    effectiveContextWindowPercent: table.effective_context_window_percent,
    efforts: table.efforts,
    defaultEffort: table.default_effort,
    verbosity: table.verbosity,
    serviceTiers: table.service_tiers,
    responsesLite: table.responses_lite,
    images: table.images,
    toolStyle: table.tool_style,
  }));
}

export function readPrices({ tscodex }: LayerSettings): Prices {
  const models = mapValues(tscodex?.prices ?? {}, ({ input, cached_input, output }) => ({
    ...{ input, output },
    cachedInput: cached_input ?? input,
  }));
  return { currency: tscodex?.currency ?? 'USD', models };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
