/** What happens in a session, for people who read along: on stderr, so that stdout holds the answer alone. */
import type { SessionEvent } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';

/** Characters of a command's output. */
const OUTPUT = 2000;

/** Of what an agent was told to do. */
const AGENT = 80;

export function progressOf(event: SessionEvent): string[] {
  if (event.type === 'model.retrying') return [`retrying ${event.attempt}/${event.max}: ${event.message}\n`];
  if (event.type === 'turn.completed' && event.error) return [`error: ${event.error.message}\n`];
  return event.type === 'item.completed' ? itemProgress(event.item as Item) : [];
}

function itemProgress(item: Item): string[] {
  switch (item.type) {
    case 'agentMessage':
      return [`${item.text}\n`];
    case 'commandExecution':
      return [`$ ${item.command}\n${shortened(item.output)}${exitOf(item.exitCode)}`];
    case 'fileChange':
      return item.error !== undefined
        ? [`patch: ${item.error}\n`]
        : item.changes.map(({ kind, path }) => `${kind} ${path}\n`);
    case 'subAgent':
      return [
        `${item.nickname} (${item.prompt.replace(/\s+/g, ' ').slice(0, AGENT)}): ${item.message ?? item.agentStatus}\n`,
      ];
    case 'notice':
      // what ends the turn is told with its end, a retry by itself
      return item.level !== 'warning' || item.code === 'model.retry' ? [] : [`warning: ${item.text}\n`];
    default:
      return [];
  }
}

function shortened(output: string): string {
  const text = output.length > OUTPUT ? `…${output.slice(-OUTPUT)}` : output;
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function exitOf(code: number | null | undefined): string {
  return code ? `exit ${code}\n` : '';
}
