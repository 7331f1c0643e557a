/** The conversations of `$CODEX_HOME`, ours and Codex's, by their files: found by id, listed, named, put away. */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import { readSessionFile } from '../../session/catalog/read-session-file.ts';
import { readThreadNames } from '../../session/catalog/thread-names.ts';
import { noteInCodexIndex } from '../../session/codex-index.ts';
import { readFirstRecord } from '../../session/first-record.ts';
import { archiveMoves, moveTogether } from '../../session/move-session-file.ts';
import { type DatedFile, newestFirst, type PlacedFile, rolloutsIn } from '../../session/newest-file.ts';
import { threadIdOf } from '../../session/rollout-meta.ts';

/** What a file tells of its conversation. Times in milliseconds. */
export type ThreadFacts = {
  id: string;
  path: string;
  cwd: string;
  preview: string;
  name: string | null;
  model: string | null;
  modelProvider: string | null;
  originator: string | null;
  cliVersion: string;
  source: unknown;
  historyMode: string;
  forkedFrom: string | null;
  createdAt: number;
  updatedAt: number;
};

type Found = DatedFile & { id: string; name: string; size: number };

/** Facts are kept for as many files as long as they do not change. */
const KEPT = 5000;

const meta = z.object({
  cwd: z.string().catch(''),
  timestamp: z.string().catch(''),
  originator: z.string().nullish().catch(null),
  cli_version: z.string().catch(''),
  source: z.unknown().optional(),
  model_provider: z.string().nullish().catch(null),
  history_mode: z.string().catch('legacy'),
  forked_from_id: z.string().nullish().catch(null),
});

export class ThreadFiles {
  readonly #facts = new Map<string, { stamp: string; facts: Omit<ThreadFacts, 'name'> }>();

  constructor(
    private readonly codexHome: string,
    private readonly fault: (what: string, error: unknown) => void,
  ) {}

  /** The file that a thread goes on in: a revert leaves several. null where there is none. */
  async find(id: string): Promise<PlacedFile | null> {
    return (await this.#filesOf(id))[0] ?? null;
  }

  /** First the one that it goes on in. */
  async #filesOf(id: string): Promise<Found[]> {
    return this.#filesWhere((one) => one === id.toLowerCase(), [false, true]);
  }

  /** In the order of `newestFirst`. `where`: of which threads, by ids in lower case. */
  async #filesWhere(where: (id: string) => boolean, folders: readonly boolean[]): Promise<Found[]> {
    const named = await Promise.all(folders.map((archived) => rolloutsIn(this.codexHome, archived)));
    const its = named.flat().filter(({ path }) => where(idOf(path)));
    const found = await Promise.all(its.map(({ path, archived }) => stampOf(path, archived)));
    return found.filter((file) => file !== null).sort(newestFirst);
  }

  /** Throws what the file system says. */
  async facts(path: string, names?: ReadonlyMap<string, string>): Promise<ThreadFacts | null> {
    const file = await stampOf(path, false);
    return file && this.#factsOf(file, names ?? (await this.names()));
  }

  /** All of them, the newest first by their names (`created`) or by when they were last written. */
  async all(archived: boolean, by: 'created' | 'updated'): Promise<Found[]> {
    const asked = await this.#filesWhere(() => true, [archived]);
    const ids = new Set(asked.map(({ id }) => id));
    // one whose file that goes on lies elsewhere is there
    const elsewhere = await this.#filesWhere((id) => ids.has(id), [!archived]);
    const newest = new Map<string, Found>();
    for (const file of [...asked, ...elsewhere].sort(newestFirst))
      if (!newest.has(file.id)) newest.set(file.id, file);
    const files = [...newest.values()]
      .filter((file) => file.archived === archived)
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
    return by === 'updated' ? files : files.sort((a, b) => (a.name < b.name ? 1 : -1));
  }

  /** Of one that `all` has told; null for what is none of a conversation. */
  async listed(file: Found, names: ReadonlyMap<string, string>): Promise<ThreadFacts | null> {
    return this.#factsOf(file, names).catch(() => null); // it has gone, or nobody may read it
  }

  names(): Promise<ReadonlyMap<string, string>> {
    return readThreadNames(join(this.codexHome, 'session_index.jsonl'));
  }

  /**
   * Into Codex's archive, or out of it, with all its files. Returns where the newest lies. Throws `thread.unknown`, and
   * what `archiveMoves` and `moveTogether` throw.
   */
  async archive(id: string, archived: boolean): Promise<string> {
    const files = await this.#filesOf(id);
    const [newest] = files;
    if (!newest || newest.archived === archived)
      throw unknown(id, archived ? 'there is none' : 'it is not archived');
    const { codexHome } = this;
    const moves = archiveMoves(codexHome, files, { archived, createdAt: new Date().toISOString() });
    await moveTogether(codexHome, [id], moves);
    const paths = moves.map(({ to }) => to);
    try {
      noteInCodexIndex(codexHome, { id, paths, archived });
    } catch (error) {
      this.fault('note in the index of Codex where a session lies', error);
    }
    return paths[0] ?? newest.path;
  }

  async #factsOf(file: Found, names: ReadonlyMap<string, string>): Promise<ThreadFacts | null> {
    const { id, path, mtimeMs, size } = file;
    const stamp = `${mtimeMs} ${size}`;
    const kept = this.#facts.get(path);
    const facts = kept?.stamp === stamp ? kept.facts : await readFacts(file);
    if (!facts) return null;
    this.#facts.delete(path);
    this.#facts.set(path, { stamp, facts });
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > KEPT && oldest !== undefined) this.#facts.delete(oldest);
    return { ...facts, name: names.get(id) || null };
  }
}

async function readFacts({ id, path, mtimeMs, size }: Found): Promise<Omit<ThreadFacts, 'name'> | null> {
  const first = await readFirstRecord(path);
  const told = first?.type === 'session_meta' ? meta.parse(first.payload) : undefined;
  if (!told) return null;
  const { preview, model } = await beginning(path, size);
  return {
    ...{ id, path, cwd: told.cwd, preview: preview ?? '', model, modelProvider: told.model_provider ?? null },
    ...{ originator: told.originator ?? null, cliVersion: told.cli_version, source: told.source ?? 'vscode' },
    ...{ historyMode: told.history_mode, forkedFrom: told.forked_from_id ?? null },
    ...{ createdAt: Date.parse(told.timestamp) || mtimeMs, updatedAt: mtimeMs },
  };
}

/** No further than to the first words of a person. */
async function beginning(
  path: string,
  size: number,
): Promise<{ preview: string | null; model: string | null }> {
  let told: { preview: string | null; model: string | null } = { preview: null, model: null };
  for await (const { facts } of readSessionFile(path, size, null)) {
    told = { preview: facts.preview, model: facts.model };
    if (told.preview !== null) break;
  }
  return told;
}

/** Only ordinary files: one that leads elsewhere is none of ours. */
async function stampOf(path: string, archived: boolean): Promise<Found | null> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) return null;
  const { mtimeMs, size } = facts;
  return { id: idOf(path), path, name: basename(path), archived, mtimeMs, size };
}

function idOf(path: string): string {
  return threadIdOf(path).toLowerCase();
}

export function unknown(id: string, why: string): Failure {
  return new Failure('notFound', 'thread.unknown', `no rollout found for thread id ${id}: ${why}`);
}
