/**
 * Every sentence of the page goes through `t`. A message is a string with `{name}` places, or one string per
 * plural form, chosen by `{count}`. A feature keeps its own tables: English in `conversation/messages.ts` (keys
 * begin with its name) and Chinese in `conversation/messages.zh.ts`; `en.ts` and `zh.ts` put them together.
 *
 * Each new message goes in both. A key that does not exist, one that has no Chinese, or a missing place is a type
 * error. Call `t` while rendering, never when a module is loaded: the language can be switched at any time. The
 * words to use in Chinese are at the top of `zh.ts`. A component behind `memo` calls `useLanguage` (`spoken.ts`).
 */
import type { en } from './en.ts';
import { spoken } from './spoken.ts';

export type Plural = { one: string; other: string };
type Table = typeof en;
export type MessageKey = keyof Table;

/** What a feature's table looks like; write `as const satisfies Messages`. */
export type Messages = Readonly<Record<string, string | Plural>>;

/**
 * What its Chinese table looks like: the same keys, and the same places in whatever order. One form is enough for
 * every count. Write `as const satisfies Chinese<typeof conversationMessages>`.
 */
export type Chinese<English extends Messages> = {
  readonly [Key in keyof English]: string & Containing<PlacesIn<English[Key]>>;
};

type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;
type PlacesIn<Message> = Message extends string ? Places<Message> : Places<Message[keyof Message]>;
/** Strings with every one of these places: what is both a string with the one and a string with the other. */
type Containing<Names extends string> = (
  Names extends string
    ? (text: `${string}{${Names}}${string}`) => void
    : never
) extends (text: infer Text) => void
  ? Text
  : never;

type PlacesOf<Key extends MessageKey> = Table[Key] extends string
  ? Places<Table[Key]>
  : 'count' | PlacesIn<Table[Key]>;
type Values<Names extends string> = { [Name in Names]: Name extends 'count' ? number : string | number };

/** The message in the page's language, its places filled in. */
export function t<Key extends MessageKey>(
  key: Key,
  ...[values]: [PlacesOf<Key>] extends [never] ? [] : [values: Values<PlacesOf<Key>>]
): string {
  const { table, formats } = spoken();
  const message: string | Plural = table[key];
  const given = (values ?? {}) as Record<string, string | number>;
  const text = typeof message === 'string' ? message : message[form(formats.plurals, given.count)];
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = given[name];
    if (value === undefined) return place;
    return typeof value === 'number' ? formats.whole.format(value) : value;
  });
}

function form(plurals: Intl.PluralRules, count: string | number | undefined): keyof Plural {
  return plurals.select(Number(count)) === 'one' ? 'one' : 'other';
}
