/** `/history [N]`: the newest messages of a conversation, wherever they lie, a line each. */
import type { Item } from '@tscodex/shared/items';
import { Failure } from '../base/errors.ts';
import type { CommandReport } from './commands.ts';

const LISTED = 100;
const MOST_LISTED = 1000;
/** Characters of a line. */
const SHOWN = 80;

/** `newestFirst`: all items. Throws `command.usage`. */
export async function historyCommand(
  argument: string,
  newestFirst: () => AsyncIterable<Item>,
): Promise<CommandReport> {
  const limit = argument === '' ? LISTED : Number(argument);
  if (!Number.isInteger(limit) || limit < 1)
    throw new Failure('invalid', 'command.usage', 'Usage: /history [N]: the newest N messages', {
      details: { usage: '/history [N]' },
    });
  const lines: string[] = [];
  let more = false;
  for await (const item of newestFirst()) {
    const line = lineOf(item);
    if (line === null) continue;
    more = lines.length === Math.min(limit, MOST_LISTED);
    if (more) break;
    lines.push(line);
  }
  if (lines.length === 0) return { text: 'No history yet.' };
  const text = lines.reverse().join('\n');
  if (!more) return { text, details: { lines: text } };
  return { text: `… older messages are left out\n${text}`, details: { lines: text, count: lines.length } };
}

function lineOf(item: Item): string | null {
  if (item.type === 'userMessage' && item.mode !== 'command') return `U> ${shorten(item.text)}`;
  return item.type === 'agentMessage' ? `A> ${shorten(item.text)}` : null;
}

function shorten(text: string): string {
  const line = text
    .slice(0, 8 * SHOWN)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
