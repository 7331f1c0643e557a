/** `/resume`: which sessions there are, and the way to one. */
import type { CatalogEntry } from '@tscodex/shared/catalog';
import { Failure } from '../base/errors.ts';
import type { CommandReport } from './commands.ts';

/** The sessions that one may go to from this one. */
export interface SessionsElsewhere {
  /** The newest; their places are their numbers, from 1. */
  list(): CatalogEntry[];
  /** Those that are meant by a number, an id or words of a title. */
  find(words: string): CatalogEntry[];
  /** Opens one; says in which workspace. Throws what opening throws. */
  open(entry: CatalogEntry): Promise<{ workspaceId: string }>;
}

/** Characters of a line's title and of its directory. */
const TITLE = 60;
const DIRECTORY = 40;

export async function resumeCommand(words: string, sessions: SessionsElsewhere): Promise<CommandReport> {
  if (words === '') return listed(sessions.list());
  const [entry, ...others] = sessions.find(words);
  if (!entry)
    throw new Failure(
      'notFound',
      'resume.none',
      `There is no session "${words}"; /resume lists the newest.`,
      {
        details: { words },
      },
    );
  if (others.length > 0) {
    const list = [entry, ...others].map((one) => `${one.id}  ${called(one)}`).join('\n');
    throw new Failure(
      'conflict',
      'resume.several',
      `Several sessions are called so; name one by its id:\n${list}`,
      {
        details: { list },
      },
    );
  }
  const { workspaceId } = await sessions.open(entry);
  const title = called(entry);
  return { text: `“${title}” is open.`, details: { sessionId: entry.id, workspaceId, title } };
}

function listed(entries: readonly CatalogEntry[]): CommandReport {
  if (entries.length === 0) return { text: 'There are no other sessions yet.' };
  const now = Date.now();
  const list = entries
    .map((entry, at) => {
      const number = String(at + 1).padStart(2);
      return `${number}  ${called(entry)}  ${end(entry.cwd ?? '', DIRECTORY)}  ${age(entry.lastActivityAt, now)}`;
    })
    .join('\n');
  return { text: `${list}\n/resume N, ID or TITLE opens one.`, details: { list } };
}

function called({ title, preview, id }: CatalogEntry): string {
  const text = (title ?? preview ?? id).replace(/\s+/g, ' ');
  return text.length > TITLE ? `${text.slice(0, TITLE - 1)}…` : text;
}

/** Of a path the end says most. */
function end(path: string, length: number): string {
  return path.length > length ? `…${path.slice(1 - length)}` : path;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

function age(at: string, now: number): string {
  const past = Math.max(0, now - Date.parse(at));
  const found = UNITS.find(([, length]) => past >= length);
  return found ? `${Math.floor(past / found[1])}${found[0]}` : '<1m';
}
