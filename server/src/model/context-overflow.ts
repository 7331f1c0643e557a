/** How providers say that a conversation does not fit. */

/** In tokens, by the provider's own count; undefined where it does not say. */
export type Overflow = { limit?: number; requested?: number };

const SAYS = new RegExp(
  [
    'context_length_exceeded',
    '(?:exceed\\w{0,20}|longer than|larger than|greater than|maximum)\\b.{0,60}\\bcontext (?:length|window|size)',
    'context (?:window|limit|length) exceed|exceed context limit',
    'maximum (?:prompt|allowed input) length',
    '(?:prompt|input) (?:is )?too long',
    '(?:input|prompt) token count.{0,40}exceeds',
    'reduce the length of the (?:messages|prompt|input)',
    'exceeded model token limit',
    'range of input length',
  ].join('|'),
  'i',
);

/** How much is sent in a time is another matter. */
const RATE = /per (?:second|minute|hour|day)|rate limit|throttl/i;

const N = '\\(?(\\d[\\d,]{0,12})';

/** The first that fits counts. */
const LIMITS = [
  `maximum (?:context|prompt|(?:allowed )?input) length (?:is |of )?${N}`,
  `context (?:size|length|window)(?: of)? ${N}`,
  `with ${N} maximum context`,
  `> ${N}`,
  `tokens allowed ${N}`,
  `limit(?: of|:) ${N}`,
  `should be \\[\\d+, ?${N}`,
].map((pattern) => new RegExp(pattern, 'i'));

const REQUESTS = [
  `total of (?:at least )?${N}`,
  `requested:? (?:about )?${N}(?! output)`,
  `(?:input|request|prompt) (?:length )?${N}(?! maximum)`,
  `too long: ${N}`,
  `token count (?:of )?${N}`,
  `contains (?:at least )?${N}`,
].map((pattern) => new RegExp(pattern, 'i'));

/** What a message says of it; null: it speaks of something else. */
export function overflowIn(message: string): Overflow | null {
  return SAYS.test(message) && !RATE.test(message) ? overflowCounts(message) : null;
}

/** The counts in a message that is known to be about it. */
export function overflowCounts(message: string): Overflow {
  const limit = first(LIMITS, message);
  const requested = first(REQUESTS, message);
  return { ...(limit !== undefined && { limit }), ...(requested !== undefined && { requested }) };
}

function first(patterns: readonly RegExp[], message: string): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return Number(found.replaceAll(',', ''));
  }
  return undefined;
}
