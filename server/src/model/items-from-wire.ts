/** Response items from the wire, where providers are less tidy than the API's description. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ContentPart, ResponseItem } from '../base/response-items.ts';

/** Some servers take no item back without an id, and send some without. */
const idOf = (prefix: string) =>
  z
    .string()
    .min(1)
    .catch(() => `${prefix}_${randomUUID()}`);
const callId = z.string().min(1).optional().catch(undefined);

const textPart = z
  .object({ type: z.enum(['output_text', 'input_text', 'text']), text: z.string() })
  .transform(({ type, text }) => part(type === 'input_text' ? type : 'output_text', text));
const refusalPart = z
  .object({ type: z.literal('refusal'), refusal: z.string() })
  .transform(({ refusal }) => part('output_text', refusal));
const part = (type: 'input_text' | 'output_text', text: string): ContentPart => ({ type, text });

/** Parts of kinds that no model gets back are left out; some servers send a bare string. */
const content = z.union([
  z.string().transform((text) => [part('output_text', text)]),
  z
    .array(z.union([textPart, refusalPart, z.unknown().transform(() => null)]))
    .transform((parts) => parts.filter((found) => found !== null)),
  z.null().transform((): ContentPart[] => []),
]);

const message = z.object({
  type: z.literal('message'),
  id: idOf('msg'),
  role: z.enum(['user', 'assistant', 'developer', 'system']).catch('assistant'),
  content,
  phase: z.string().optional().catch(undefined),
});

const plainReasoning = z
  .string()
  .min(1)
  .transform((text) => [{ type: 'reasoning_text', text }]);

/** Reasoning in plain words: in parts, as one text, or under the names that Chat Completions has for it. */
const reasoning = z
  .object({
    type: z.literal('reasoning'),
    id: idOf('rs'),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })).catch([]),
    content: z
      .union([plainReasoning, z.array(z.object({ type: z.string(), text: z.string() }))])
      .nullish()
      .catch(undefined),
    reasoning_content: plainReasoning.optional().catch(undefined),
    reasoning: plainReasoning.optional().catch(undefined),
    encrypted_content: z.string().nullish().catch(undefined),
  })
  .transform(({ reasoning_content: other, reasoning: another, ...item }) => {
    const content = item.content?.length ? item.content : (other ?? another ?? item.content);
    return { ...item, content };
  });

/** A call without a usable name is a call as well: it gets an error for its output, and the model may correct it. */
const callName = z.string().min(1).catch('unnamed');

/** JSON text, whatever came: nothing is `{}`, an object is written out. Text that is no JSON stays, for its error. */
const args = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'string') return JSON.stringify(value ?? {});
    return value.trim() === '' || value.trim() === 'null' ? '{}' : value;
  });

/** As `args`, but that nothing is nothing. */
const freeText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)));

const functionCall = z.object({
  type: z.literal('function_call'),
  id: idOf('fc'),
  call_id: callId,
  name: callName,
  namespace: z.string().optional().catch(undefined),
  arguments: args,
});

const customToolCall = z.object({
  type: z.literal('custom_tool_call'),
  id: idOf('ctc'),
  call_id: callId,
  name: callName,
  input: freeText,
});

const known = z.discriminatedUnion('type', [message, reasoning, functionCall, customToolCall]);
const anything = z.looseObject({ type: z.string() });

/** null for what is no item at all. An item of an unknown type, or one not understood, is kept as it came. */
export function itemFromWire(raw: unknown): ResponseItem | null {
  const item = known.safeParse(raw);
  if (item.success) return defined(finish(item.data));
  const other = anything.safeParse(raw);
  if (!other.success) return null;
  return { type: other.data.type === 'web_search_call' ? 'web_search_call' : 'other', raw: other.data };
}

function finish(item: z.infer<typeof known>): ResponseItem {
  const isCall = item.type === 'function_call' || item.type === 'custom_tool_call';
  return isCall ? { ...item, call_id: item.call_id ?? newCallId() } : item;
}

const newCallId = () => `call_${randomUUID()}`;

/** The same without fields that are undefined, so that items compare and store cleanly. */
function defined(item: ResponseItem): ResponseItem {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as ResponseItem;
}
