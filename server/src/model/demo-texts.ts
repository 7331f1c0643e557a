/** What the demo model says, in the language it is spoken to. */
import en from '@tscodex/prompts/demo/en.md';
import zh from '@tscodex/prompts/demo/zh.md';

export type Texts = {
  language: string;
  /** A text by its name, its `{{places}}` filled. */
  say(name: string, places?: Readonly<Record<string, string>>): string;
  /** The lines of a text. */
  lines(name: string): string[];
};

/** Chinese to whoever writes Chinese characters, else English. */
export function textsFor(prompt: string): Texts {
  const chinese = /[\u3400-\u9fff]/.test(prompt);
  const sections = sectionsOf(chinese ? zh : en);
  const say = (name: string, places = {}) => fill(sections.get(name) ?? '', places);
  return { language: chinese ? 'zh' : 'en', say, lines: (name) => say(name).split('\n') };
}

/** `places` that are not named stay empty. */
export function fill(text: string, places: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => places[name] ?? '');
}

function sectionsOf(file: string): Map<string, string> {
  const [, ...parts] = file.split(/^<!-- ([\w-]+) -->$/m);
  const sections = new Map<string, string>();
  for (let i = 0; i + 1 < parts.length; i += 2) sections.set(parts[i] ?? '', (parts[i + 1] ?? '').trim());
  return sections;
}
