/** How the inbox speaks of what waits. */
import { t } from '../messages/messages.ts';
import { shortPath } from '../ui/work-directory.ts';
import type { Waiting } from './waiting.ts';

/** The address of the session. */
export function placeOf({ workspace, session }: Waiting): string {
  return `/w/${encodeURIComponent(workspace.id)}/?${new URLSearchParams({ session: session.id })}`;
}

/** With the name of the agent that asks, where that is one that the session's has started. */
export function titleOf({ session, ask }: Waiting): string {
  const title = session.title ?? t('sessions.untitled');
  return ask?.agent ? `${title} · ${ask.agent.nickname}` : title;
}

export function whatOf({ ask }: Waiting): string {
  if (ask === null) return t('inbox.paused');
  if (ask.kind === 'question') return t('inbox.question');
  if (ask.what === 'command' && ask.grants?.unconfined) return t('asks.runOutside');
  return t(`inbox.${ask.what ?? 'command'}`);
}

/** Paths are told from where the session works. */
export function textOf({ ask }: Waiting): string {
  if (ask?.what !== 'patch') return ask?.text ?? '';
  const lines = ask.text.split('\n').map((path) => shortPath(path, ask.cwd ?? ''));
  return lines.join('\n');
}

/** Characters of a command or a question that are read out; the list has the rest. */
const READ_OUT = 100;

/** The news that something has begun to wait. */
export function newsOf(waiting: Waiting): string {
  const { ask } = waiting;
  const workspace = waiting.workspace.name;
  if (ask === null) return t('inbox.newPaused', { workspace, session: titleOf(waiting) });
  const text = ask.text.slice(0, READ_OUT);
  if (ask.kind === 'question') return t('inbox.newQuestion', { workspace, text });
  return t('inbox.newCommand', { workspace, text: `${whatOf(waiting)} ${text}` });
}
