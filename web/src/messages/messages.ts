/**
 * Every sentence of the page goes through `t`. A message is a string with `{name}` places, or one string per
 * plural form, chosen by `{count}`. A feature keeps its own table (`conversation/messages.ts`, keys begin with
 * its name); `en.ts` puts them together. A key that does not exist or a missing place is a type error.
 */
import { en } from './en.ts';

type Plural = { one: string; other: string };
type Table = typeof en;
export type MessageKey = keyof Table;

/** What a feature's table looks like; write `as const satisfies Messages`. */
export type Messages = Readonly<Record<string, string | Plural>>;

type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;
type PlacesOf<Key extends MessageKey> = Table[Key] extends string
  ? Places<Table[Key]>
  : 'count' | Places<Table[Key][keyof Table[Key]]>;
type Values<Names extends string> = { [Name in Names]: Name extends 'count' ? number : string | number };

const plurals = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** The message in the page's language, its places filled in. */
export function t<Key extends MessageKey>(
  key: Key,
  ...[values]: [PlacesOf<Key>] extends [never] ? [] : [values: Values<PlacesOf<Key>>]
): string {
  const message: string | Plural = en[key];
  const given = (values ?? {}) as Record<string, string | number>;
  const text = typeof message === 'string' ? message : message[form(given.count)];
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = given[name];
    if (value === undefined) return place;
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

function form(count: string | number | undefined): keyof Plural {
  return plurals.select(Number(count)) === 'one' ? 'one' : 'other';
}
