/** What is known about models by their name: how much a conversation may hold, for the meter. */

type Family = { prefix: string; contextWindow: number };

/** By the providers' own descriptions; gpt-5 as Codex 0.171.0 reports it (258,400 of 272,000). */
const FAMILIES: readonly Family[] = [
  { prefix: 'gpt-5', contextWindow: 272_000 },
  { prefix: 'gpt-6', contextWindow: 272_000 },
  { prefix: 'gpt-4.1', contextWindow: 1_047_576 },
  { prefix: 'gpt-4o', contextWindow: 128_000 },
  { prefix: 'o3', contextWindow: 200_000 },
  { prefix: 'o4-mini', contextWindow: 200_000 },
  { prefix: 'gpt-oss', contextWindow: 131_072 },
];

/** Percent of a window that is used; the rest is the provider's margin. Codex's value. */
const EFFECTIVE_PERCENT = 95;

/** What instructions and tools take before a conversation begins. Codex's value. */
const BASELINE_TOKENS = 12_000;

/**
 * Tokens that a conversation may use: the effective share of the model's window. `configured` overrides what is
 * known by the longest prefix that fits the name, or the part behind its one slash (`openai/gpt-5.5`).
 * undefined: nothing is known.
 */
export function usableWindow(name: string, configured?: number): number | undefined {
  const family = familyOf(name) ?? familyOf(/^[\w-]+\/([^/]+)$/.exec(name)?.[1] ?? '');
  const window = configured ?? family?.contextWindow;
  return window === undefined ? undefined : Math.floor((window * EFFECTIVE_PERCENT) / 100);
}

/** Percent of the window that is left, 0 to 100. `window` is the usable one, `total` the last request's tokens. */
export function contextLeft(total: number, window: number): number {
  const room = window - BASELINE_TOKENS;
  if (room <= 0) return 0;
  const used = Math.max(total - BASELINE_TOKENS, 0);
  return roundHalfEven(Math.min(Math.max(((room - used) / room) * 100, 0), 100));
}

/** As Codex shows it, so that both meters agree. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function familyOf(name: string): Family | undefined {
  const fitting = FAMILIES.filter((family) => name.startsWith(family.prefix));
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0];
}
