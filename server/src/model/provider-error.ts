/** What a provider says went wrong, out of the many shapes in which they say it. */
import * as z from 'zod';

export type ProviderError = { code: string | undefined; type: string | undefined; message: string };

/** Characters that are kept of a text from outside: enough for any real one, and quick to search. */
const TEXT_LIMIT = 16 * 1024;

const said = z.string().transform((whole) => whole.slice(0, TEXT_LIMIT));
const text = z.union([said, z.number().transform(String)]).optional();
const errorObject = z.looseObject({
  code: text.catch(undefined),
  type: text.catch(undefined),
  message: said.optional().catch(undefined),
});
const errorBody = z.looseObject({
  error: z.union([said, errorObject]).optional().catch(undefined),
  detail: said.optional().catch(undefined),
});

/** From a decoded body or event: `{error: {…}}`, `{error: "…"}`, `{message, code}`, `{detail}`. null: none of them. */
export function findProviderError(value: unknown): ProviderError | null {
  const body = errorBody.safeParse(value);
  if (!body.success) return null;
  const { error, detail } = body.data;
  if (typeof error === 'string') return { code: undefined, type: undefined, message: error };
  const found = error ?? errorObject.parse(value);
  const message = found.message ?? detail;
  if (message === undefined && found.code === undefined && !error) return null;
  return { code: found.code, type: found.type, message: message ?? '' };
}

/** From the text of a failed answer. HTML is told by its title, other text as it stands. */
export function providerErrorIn(body: string): ProviderError {
  const plain = (message: string) => {
    return { code: undefined, type: undefined, message: message.slice(0, TEXT_LIMIT) };
  };
  if (looksLikeHtml(body)) return plain(describeHtml(body));
  try {
    const value: unknown = JSON.parse(body);
    return findProviderError(value) ?? plain(body.trim());
  } catch {
    return plain(body.trim()); // no JSON: the text itself is the message
  }
}

export function looksLikeHtml(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)/i.test(body);
}

export function describeHtml(body: string): string {
  // each part ends at the next `<`, so that time stays linear
  const title = /<title[^<>]*>([^<]*)</i.exec(body)?.[1]?.trim();
  return title ? `an HTML page, "${title}"` : 'an HTML page';
}

/** Milliseconds a text asks to wait: "try again in 1m12s", "in 20ms", "in 3 seconds". */
export function waitAskedIn(message: string): number | undefined {
  const match =
    /try again in\s+(?:(\d+)\s*m(?!s)(?:in(?:ute)?s?)?\s*)?(?:(\d+(?:\.\d+)?)\s*(ms|s)(?:ec(?:ond)?s?)?)?/i.exec(
      message,
    );
  if (!match || (match[1] === undefined && match[2] === undefined)) return undefined;
  const minutes = Number(match[1] ?? 0) * 60_000;
  return minutes + Number(match[2] ?? 0) * (match[3]?.toLowerCase() === 'ms' ? 1 : 1000);
}

/** Milliseconds the `Retry-After` headers ask to wait: seconds or a date. */
export function waitAskedBy(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const value = headers.get('retry-after');
  if (!value) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
