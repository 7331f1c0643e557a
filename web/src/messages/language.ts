/** Which language the page speaks: the one chosen on this device, else the browser's, else English. */
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';

export type Language = 'en' | 'zh';

/** Each language as its speakers write it, and its tag where nobody asks for a region of it. */
export const languages: Readonly<Record<Language, { name: string; tag: string }>> = {
  en: { name: 'English', tag: 'en' },
  zh: { name: '中文', tag: 'zh-CN' },
};

const KEY = 'tscodex.language';

/** `preferred`: what the browser asks for, the dearest first. */
export function languageOf(storage: DeviceStorage, preferred: readonly string[]): Language {
  const chosen = remembered(storage, KEY);
  if (isLanguage(chosen)) return chosen;
  for (const tag of preferred) {
    const language = primary(tag);
    if (isLanguage(language)) return language;
  }
  return 'en';
}

export function rememberLanguage(storage: DeviceStorage, language: Language): void {
  remember(storage, KEY, language);
}

/** The reader's own variant of a language decides how times and numbers are written: `en-GB`, `zh-TW`. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => primary(tag) === language) ?? languages[language].tag;
}

function primary(tag: string): string | undefined {
  return tag.toLowerCase().split('-')[0];
}

function isLanguage(text: string | null | undefined): text is Language {
  return text === 'en' || text === 'zh';
}
