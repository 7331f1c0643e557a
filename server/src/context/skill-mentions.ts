/** What the model reads below a message that names skills: what they say. */
import { type MessageItem, userText } from '../base/response-items.ts';
import type { ContextFiles } from './context-files.ts';
import { cutText } from './cut-text.ts';
import { escapeXml } from './environment-context.ts';
import type { Skill } from './skills.ts';

/** Bytes of one SKILL.md. */
const TEXT_LIMIT = 48 * 1024;
/** Skills of one message. */
const MOST_NAMED = 8;
/** Dollar signs of one message that are looked at: more are no mentions. */
const MOST_LOOKED = 1000;

/** What may begin a `$name`: not `\$name` nor `a$name`. Where words are not set apart by blanks, one may be before it. */
const MENTION = /(?<![\w$\\])\$/g;

/** The skills that a message names, in its order, each once; of several with one name the first. */
export function namedSkills(text: string, skills: readonly Skill[]): Skill[] {
  const byLength = skills.toSorted((a, b) => b.name.length - a.name.length);
  const named = new Set<Skill>();
  let looked = 0;
  for (const { index } of text.matchAll(MENTION)) {
    if (named.size >= MOST_NAMED || ++looked > MOST_LOOKED) break;
    const rest = text.slice(index + 1, index + 100);
    const isNamed = ({ name }: Skill) => rest.startsWith(name) && !/^[\w-]/.test(rest.slice(name.length));
    const skill = byLength.find(isNamed);
    if (skill) named.add(skill);
  }
  return [...named];
}

/** In the form Codex gives it. null where it cannot be read any more. */
export async function skillItem({ name, path }: Skill, files: ContextFiles): Promise<MessageItem | null> {
  const read = await files.read(path, TEXT_LIMIT);
  if (!read || 'why' in read) return null;
  const { text, bytes, isCut } = read.file;
  const content = isCut ? cutText(text, { path, bytes, shown: TEXT_LIMIT }) : text.trim();
  return userText(
    `<skill>\n<name>${escapeXml(name)}</name>\n<path>${escapeXml(path)}</path>\n${content}\n</skill>`,
  );
}
