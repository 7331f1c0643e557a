/** The conversations of `$CODEX_HOME`, ours and Codex's, by their files: found by id, listed, named, put away. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import { readSessionFile } from '../../session/catalog/read-session-file.ts';
import { readThreadNames } from '../../session/catalog/thread-names.ts';
import { noteInCodexIndex } from '../../session/codex-index.ts';
import { readFirstRecord } from '../../session/first-record.ts';
import { archiveMoves, moveTogether } from '../../session/move-session-file.ts';
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

type Placed = { path: string; archived: boolean };

type Found = { id: string; path: string; name: string; mtimeMs: number; size: number };

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

  /** The newest file of a thread: a revert leaves several. null where there is none. */
  async find(id: string): Promise<Placed | null> {
    return (await this.#filesOf(id))[0] ?? null;
  }

  /** Those outside the archive first, of each the newest first. */
  async #filesOf(id: string): Promise<Placed[]> {
    const placed: Placed[] = [];
    for (const archived of [false, true]) {
      const files = (await this.#names(archived)).filter(({ name }) => name.includes(id.toLowerCase()));
      const dated = await Promise.all(files.map(({ path }) => this.#stamp(path)));
      const found = dated.filter((file) => file?.id === id.toLowerCase()).sort(newestFirst);
      placed.push(...found.flatMap((file) => (file ? [{ path: file.path, archived }] : [])));
    }
    return placed;
  }

  /** Throws what the file system says. */
  async facts(path: string, names?: ReadonlyMap<string, string>): Promise<ThreadFacts | null> {
    const file = await this.#stamp(path);
    return file && this.#factsOf(file, names ?? (await this.names()));
  }

  /** All of them, the newest first by their names (`created`) or by when they were last written. */
  async all(archived: boolean, by: 'created' | 'updated'): Promise<Found[]> {
    const names = await this.#names(archived);
    const found = (await Promise.all(names.map(({ path }) => this.#stamp(path)))).filter(
      (file) => file !== null,
    );
    const newest = new Map<string, Found>();
    for (const file of found.sort(newestFirst)) if (!newest.has(file.id)) newest.set(file.id, file);
    const files = [...newest.values()];
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

  async #names(archived: boolean): Promise<{ path: string; name: string }[]> {
    const folder = join(this.codexHome, archived ? 'archived_sessions' : 'sessions');
    const all = await readdir(folder, { recursive: true }).catch(() => []);
    return all
      .map((path) => ({ path: join(folder, path), name: basename(path) }))
      .filter(({ name }) => /^rollout-.*\.jsonl$/.test(name));
  }

  /** Only ordinary files: one that leads elsewhere is none of ours. */
  async #stamp(path: string): Promise<Found | null> {
    const facts = await stat(path).catch(() => null);
    if (!facts?.isFile()) return null;
    const { mtimeMs, size } = facts;
    return { id: threadIdOf(path).toLowerCase(), path, name: basename(path), mtimeMs, size };
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

function newestFirst(a: Found | null, b: Found | null): number {
  return (b?.mtimeMs ?? 0) - (a?.mtimeMs ?? 0);
}

export function unknown(id: string, why: string): Failure {
  return new Failure('notFound', 'thread.unknown', `no rollout found for thread id ${id}: ${why}`);
}
