/**
 * The form of a request in which Codex's newest models want to be asked: instructions and tools are the first items
 * of the input, and one call is made at a time.
 */
import { v5 as uuidFrom } from 'uuid';
import type { ModelRequest } from './client.ts';

export const LITE_HEADERS = { 'x-openai-internal-codex-responses-lite': 'true' };

/** Of names that are identifiers of objects; RFC 9562. */
const OID = '6ba7b812-9dad-11d1-80b4-00c04fd430c8';

/**
 * What goes before the conversation. The ids are the same for the same content in the same session: the provider
 * knows again what it has seen.
 */
export function liteItems({ instructions, tools, cacheKey }: ModelRequest): Record<string, unknown>[] {
  const session = uuidFrom(cacheKey, OID);
  const id = (content: string) => uuidFrom(content, session);
  const developer = {
    ...{ type: 'message', id: `msg_${id(instructions)}`, role: 'developer' },
    content: [{ type: 'input_text', text: instructions }],
  };
  return [
    { type: 'additional_tools', id: `at_${id(JSON.stringify(tools))}`, role: 'developer', tools },
    ...(instructions === '' ? [] : [developer]),
  ];
}
