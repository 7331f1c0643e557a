/** What is wrong with a part of the configuration, in the words of its keys. */
import type * as z from 'zod';
import type { KeyPath } from './toml-places.ts';

/** `reason`: `expected string, found number`. */
export type Fault = { path: KeyPath; reason: string };

/** What a schema has found wrong with `value`, which lies at `within`. */
export function faultsOf(error: z.ZodError, value: unknown, within: KeyPath = []): Fault[] {
  return error.issues.map((issue) => ({ path: [...within, ...issue.path], reason: reasonOf(issue, value) }));
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  const found = at(value, issue.path);
  const said = issue.message
    .replace(/^(Invalid input|Invalid option|Too small|Too big): /, '')
    .replace(/\b(expected|received) (record|object)\b/g, '$1 table')
    .replace(', received undefined', ', found nothing')
    .replace(', received ', ', found ');
  // only a word out of a few is shown, and no text that could be a secret
  const isWord = typeof found === 'string' && found.length <= 40;
  if (issue.code === 'invalid_value' && isWord) return `${said}, found ${JSON.stringify(found)}`;
  if (issue.code === 'invalid_union')
    return `${said}, found ${isWord ? JSON.stringify(found) : nameOf(found)}`;
  if (issue.code === 'too_small' || issue.code === 'too_big')
    return typeof found === 'number' ? `${said}, found ${found}` : said;
  return said;
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'table' : typeof value;
}

function at(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}
