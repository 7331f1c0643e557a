import { expect, test } from 'vitest';
import { languageOf, localeOf, rememberLanguage } from './language.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('the browser’s first language that there is', () => {
  expect(languageOf(storage(), ['zh-TW', 'en'])).toBe('zh');
  expect(languageOf(storage(), ['zh-Hans-CN'])).toBe('zh');
  expect(languageOf(storage(), ['de-DE', 'ZH-cn', 'en'])).toBe('zh');
  expect(languageOf(storage(), ['en-GB', 'zh'])).toBe('en');
  expect(languageOf(storage(), ['de', 'fr'])).toBe('en');
  expect(languageOf(storage(), [])).toBe('en');
});

test('what was chosen on this device goes before the browser’s', () => {
  const kept = storage();
  rememberLanguage(kept, 'en');
  expect(languageOf(kept, ['zh-CN'])).toBe('en');
});

test('a value that nobody chose is passed over', () => {
  expect(languageOf({ ...storage(), getItem: () => 'klingon' }, ['zh'])).toBe('zh');
});

test('storage that refuses is no reason to fail', () => {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  const blocked = { getItem: refuse, setItem: refuse, removeItem: refuse };
  rememberLanguage(blocked, 'zh');
  expect(languageOf(blocked, ['zh'])).toBe('zh');
});

test('times and numbers follow the reader’s own variant of the language', () => {
  expect(localeOf('en', ['zh-CN', 'en-GB'])).toBe('en-GB');
  expect(localeOf('zh', ['en-US', 'zh-TW'])).toBe('zh-TW');
  expect(localeOf('zh', ['de'])).toBe('zh-CN');
});
