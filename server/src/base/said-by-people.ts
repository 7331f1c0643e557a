/** Which messages of the user's role are people's own words, and which the program says in their name. */
import { type MessageItem, type ResponseItem, textOf, userText } from './response-items.ts';

/** What we say in people's name, by the words that it opens with. */
export const OPENS = {
  agentsMd: '# AGENTS.md instructions',
  environment: '<environment_context',
  board: '<board',
  skill: '<skill',
  turnAborted: '<turn_aborted',
  summary: '<conversation_summary',
  commandEnded: '<exec_command_completed',
  clockTick: '<clock_tick',
  agentEnded: '<subagent_notification',
} as const;

/** What Codex says beyond that; the last words stand before a summary. */
const OPENS_CODEX = [
  ...['<user_instructions', '<user_shell_command', '<user_action'],
  'Another language model started to solve this problem',
];

const OPENING = new RegExp(`^\\s*(?:${[...Object.values(OPENS), ...OPENS_CODEX].join('|')})\\b`);

/** By its mark, whatever it opens with. What has none, as in files of other programs, is told by its opening words. */
export function isSaidByPeople(item: ResponseItem): item is MessageItem {
  if (item.type !== 'message' || item.role !== 'user') return false;
  return item.by_person === true || !OPENING.test(textOf(item));
}

/** Words of a person. */
export function personText(text: string): MessageItem {
  return { ...userText(text), by_person: true };
}
