/**
 * The form of an MCP server as questions to people, and their answers as what the server takes. The server wrote the
 * schema: whatever is no form of the protocol, or too much of one, is null. Pure.
 */
import type { Question } from '@tscodex/shared/asks';
import * as z from 'zod';

export type ElicitedForm = {
  questions: Question[];
  /** Throws nothing: the answers were checked against the questions. */
  content(answers: Readonly<Record<string, readonly string[]>>): Record<string, unknown>;
};

/** Of one form. */
const MOST_FIELDS = 20;
const MOST_OPTIONS = 60;

const name = z.string().min(1).max(200);
const words = z.string().max(1000).optional();
const titles = { title: z.string().max(200).optional(), description: words };
const count = z.number().optional();
const plainEnum = z.array(name).min(1).max(MOST_OPTIONS);
const titled = z
  .array(z.object({ const: name, title: name }))
  .min(1)
  .max(MOST_OPTIONS);

const freeText = z.object({
  ...{ ...titles, type: z.literal('string'), minLength: count, maxLength: count },
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  // a choice that is none of those below is no free text
  ...{ enum: z.undefined().optional(), oneOf: z.undefined().optional() },
});
const property = z.union([
  z.object({ ...titles, type: z.literal('string'), oneOf: titled }),
  z.object({
    ...{ ...titles, type: z.literal('string'), enum: plainEnum },
    enumNames: z.array(name).optional(),
  }),
  z.object({
    ...{ ...titles, type: z.literal('array') },
    items: z.union([z.object({ anyOf: titled }), z.object({ enum: plainEnum })]),
    ...{ minItems: count, maxItems: count },
  }),
  freeText,
  z.object({ ...titles, type: z.enum(['number', 'integer']), minimum: count, maximum: count }),
  z.object({ ...titles, type: z.literal('boolean') }),
]);
type Property = z.infer<typeof property>;

const schema = z.object({
  type: z.literal('object'),
  properties: z.record(name, property),
  required: z.array(name).max(1000).optional(),
});

export function elicitedForm(requested: unknown): ElicitedForm | null {
  const form = schema.safeParse(requested).data;
  const fields = Object.entries(form?.properties ?? {});
  if (!form || fields.length > MOST_FIELDS) return null;
  const read = fields.map(([key, one], at) => ({ key, one, id: `field-${at}`, options: optionsOf(one) }));
  // an answer is the label: two alike could not be told apart
  if (read.some(({ options }) => new Set(options.map(({ label }) => label)).size < options.length))
    return null;
  return {
    questions: read.map(({ key, one, id, options }) => ({
      ...{ id, ...wordsOf(key, one), ...fieldOf(one) },
      ...(options.length > 0 ? { options: options.map(({ label }) => ({ label, description: '' })) } : {}),
      allowOther: options.length === 0,
      ...(one.type === 'array' ? { several: true } : {}),
      ...(form.required?.includes(key) ? {} : { optional: true }),
    })),
    content: (answers) =>
      Object.fromEntries(
        read.flatMap(({ key, one, id, options }) => {
          const texts = (answers[id] ?? []).filter((text) => text.trim() !== '');
          if (texts.length === 0) return [];
          const values = texts.map((text) => options.find(({ label }) => label === text)?.value ?? text);
          return [[key, typedAs(one, values)]];
        }),
      ),
  };
}

/** Nothing is said twice. */
function wordsOf(key: string, { title = key, description }: Property) {
  return description ? { header: title, question: description } : { header: '', question: title };
}

function typedAs({ type }: Property, values: readonly string[]): unknown {
  if (type === 'array') return [...new Set(values)];
  const [value = ''] = values;
  if (type === 'boolean') return value === 'true';
  return type === 'string' ? value : Number(value);
}

type Option = { value: string; label: string };

function optionsOf(one: Property): Option[] {
  if (one.type === 'array')
    return 'anyOf' in one.items ? one.items.anyOf.map(fromTitled) : one.items.enum.map(fromPlain);
  if ('oneOf' in one && one.oneOf) return one.oneOf.map(fromTitled);
  if (!('enum' in one) || !one.enum) return [];
  const names = 'enumNames' in one ? one.enumNames : undefined;
  return one.enum.map((value, at) => ({ value, label: names?.[at] ?? value }));
}

function fromTitled({ const: value, title: label }: { const: string; title: string }): Option {
  return { value, label };
}

function fromPlain(value: string): Option {
  return { value, label: value };
}

function fieldOf(one: Property): Pick<Question, 'field'> {
  const bounds = (least: number | undefined, most: number | undefined) => ({
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
  });
  if (one.type === 'boolean') return { field: { type: 'boolean' } };
  if (one.type === 'number' || one.type === 'integer')
    return { field: { type: one.type, ...bounds(one.minimum, one.maximum) } };
  if (one.type === 'array') return { field: { type: 'text', ...bounds(one.minItems, one.maxItems) } };
  if (optionsOf(one).length > 0) return {};
  const { format, minLength, maxLength } = freeText.parse(one);
  return { field: { type: 'text', ...(format && { format }), ...bounds(minLength, maxLength) } };
}
