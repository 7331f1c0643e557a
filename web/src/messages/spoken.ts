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
/** By code; English has none, the server speaks it. */
type ServerSentences = Readonly<Record<string, string | readonly string[]>>;
type Words = { readonly table: Table; readonly serverSentences: ServerSentences };
type Spoken = Words & { readonly language: Language; readonly formats: Formats };

const english: Words = { table: en, serverSentences: {} };

/** English is there from the start; the others come when they are spoken, and cost nobody else a byte. */
const words: Readonly<Record<Language, () => Words | Promise<Words>>> = {
  en: () => english,
  zh: async () => {
    const { zh, serverSentencesZh } = await import('./zh.ts');
    return { table: zh, serverSentences: serverSentencesZh };
  },
};

const store = createStore<Spoken>(() => ({ ...english, language: 'en', formats: formatsOf('en') }));

export function spoken(): Spoken {
  return store.getState();
}

/** Throws when the table cannot be fetched; then all stays as it was. */
export async function speak(language: Language, preferred: readonly string[]): Promise<void> {
  const spoken = await words[language]();
  store.setState({ ...spoken, language, formats: formatsOf(localeOf(language, preferred)) });
}

/**
 * The language, for whoever has to be rendered again with it. The root does, and with it everything below; a
 * component behind `memo` that shows messages calls this itself.
 */
export function useLanguage(): Language {
  return useStore(store, ({ language }) => language);
}
