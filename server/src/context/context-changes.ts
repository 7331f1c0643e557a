/**
 * What the model is told about its surroundings, section by section: at the start of a conversation all of it,
 * later what has changed, where it does. What was sent once is never rewritten: the provider's prefix cache would
 * be lost with it. Pure.
 */
import type { MessageItem, ResponseItem } from '../base/response-items.ts';
import { OPENS } from '../base/said-by-people.ts';

/** In the order they are told. `opens`: the words by which a section is known in a history. */
const SECTIONS = {
  instructions: { role: 'developer', opens: '<developer_instructions' },
  skills: { role: 'developer', opens: '<skills_instructions' },
  permissions: { role: 'developer', opens: '<permissions instructions' },
  agentsMd: { role: 'user', opens: OPENS.agentsMd },
  environment: { role: 'user', opens: OPENS.environment },
  board: { role: 'user', opens: OPENS.board },
} as const;

type Section = keyof typeof SECTIONS;

/** The text of each section, as its opening words have it; null where there is nothing to say. */
export type ContextSections = Readonly<Record<Section, string | null>>;

/** The newest text of each section that the model was told. */
export type Told = Readonly<Partial<Record<Section, string>>>;

/** What these items tell, on top of what was told before. */
export function toldBy(items: readonly ResponseItem[], before: Told = {}): Told {
  const told: Partial<Record<Section, string>> = { ...before };
  for (const item of items) {
    if (item.type !== 'message' || item.role === 'assistant') continue;
    for (const part of item.content) {
      const section = 'text' in part ? sectionOf(item.role, part.text) : undefined;
      if (section && 'text' in part) told[section] = part.text;
    }
  }
  return told;
}

/** The messages that bring the model from `told` to `now`: one of the developer, one in the user's name, or none. */
export function contextChanges(told: Told, now: ContextSections): MessageItem[] {
  return (['developer', 'user'] as const).flatMap((role) => {
    const texts = sections(role).flatMap((section) => {
      const text = now[section] ?? (told[section] === undefined ? null : withdrawn(section));
      return text === null || text === told[section] ? [] : [text];
    });
    return texts.length === 0 ? [] : [message(role, texts)];
  });
}

function sections(role: 'developer' | 'user'): Section[] {
  return (Object.keys(SECTIONS) as Section[]).filter((section) => SECTIONS[section].role === role);
}

function sectionOf(role: MessageItem['role'], text: string): Section | undefined {
  if (role !== 'developer' && role !== 'user') return undefined;
  return sections(role).find((section) => text.startsWith(SECTIONS[section].opens));
}

/** What was said cannot be taken back, only said not to hold any more. */
function withdrawn(section: Section): string {
  const { opens } = SECTIONS[section];
  const words = 'What was said here before does not hold any more.';
  return opens.startsWith('<') ? `${opens}>\n${words}\n</${opens.slice(1)}>` : `${opens}\n\n${words}`;
}

function message(role: 'developer' | 'user', texts: readonly string[]): MessageItem {
  return { type: 'message', role, content: texts.map((text) => ({ type: 'input_text', text })) };
}
