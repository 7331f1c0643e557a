/**
 * The language that is spoken now, with its table and its formats. Module state, because `t` is called wherever a
 * sentence is made and a page has one reader.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { en } from './en.ts';
import { type Formats, formatsOf } from './formats.ts';
import { type Language, localeOf } from './language.ts';
import type { MessageKey, Plural } from './messages.ts';

type Table = Readonly<Record<MessageKey, string | Plural>>;
type Spoken = { readonly language: Language; readonly table: Table; readonly formats: Formats };

/** English is there from the start; the others come when they are spoken, and cost nobody else a byte. */
const tables: Readonly<Record<Language, () => Table | Promise<Table>>> = {
  en: () => en,
  zh: async () => (await import('./zh.ts')).zh,
};

const store = createStore<Spoken>(() => ({ language: 'en', table: en, formats: formatsOf('en') }));

export function spoken(): Spoken {
  return store.getState();
}

/** Throws when the table cannot be fetched; then all stays as it was. */
export async function speak(language: Language, preferred: readonly string[]): Promise<void> {
  const table = await tables[language]();
  store.setState({ language, table, formats: formatsOf(localeOf(language, preferred)) });
}

/**
 * The language, for whoever has to be rendered again with it. The root does, and with it everything below; a
 * component behind `memo` that shows messages calls this itself.
 */
export function useLanguage(): Language {
  return useStore(store, ({ language }) => language);
}
