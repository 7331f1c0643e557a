/**
 * Tells Codex what people have called sessions: one line each at the end of `session_index.jsonl`, as Codex writes it,
 * and in its index. Titles that nobody chose are not told: Codex has none of its own either.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, messageOf } from '../base/errors.ts';
import { waitForLock } from '../base/file-lock.ts';
import { nameInCodexIndex } from './codex-index.ts';

/** Codex takes the names of deleted sessions out of the file while it holds this lock: it is held for moments. */
const LOCK_SECONDS = 10;

/** Milliseconds until an index that is being written is tried once more. */
const INDEX_AGAIN = 1000;

export class GivenNames {
  readonly #path: string;
  /** They follow one another: what was given last stands last. */
  #last: Promise<void> = Promise.resolve();
  /** The index follows the file, and holds up none of its lines. */
  #noted: Promise<void> = Promise.resolve();
  /** What sessions were called here last, and how many lines about one are on their way. */
  readonly #given = new Map<string, { name: string; pending: number }>();

  constructor(private readonly codexHome: string) {
    this.#path = join(codexHome, 'session_index.jsonl');
  }

  /** Resolves once it is told. Throws `file.lock`, `file.write`; `codex.index`: it stands in the file alone. */
  give(id: string, name: string): Promise<void> {
    const pending = (this.#given.get(id)?.pending ?? 0) + 1;
    this.#given.set(id, { name, pending });
    const given = this.#last
      .then(() => this.#append(id, name))
      .finally(() => {
        const now = this.#given.get(id);
        if (now) now.pending -= 1;
      });
    this.#last = given.catch(() => undefined); // whoever gave it is told
    const noted = this.#noted.then(() => given).then(() => this.#note(id, name));
    this.#noted = noted.catch(() => undefined); // as above
    return noted;
  }

  /** Resolves when all that was given is told, or was refused. */
  get settled(): Promise<void> {
    return this.#noted;
  }

  /** Whether a name that was read is news: neither given here, nor older than one that is on its way. */
  isNews(id: string, name: string): boolean {
    const given = this.#given.get(id);
    if (given && (given.pending > 0 || given.name === name)) return false;
    this.#given.delete(id);
    return true;
  }

  async #append(id: string, name: string): Promise<void> {
    const line = `${JSON.stringify({ id, thread_name: name, updated_at: new Date().toISOString() })}\n`;
    const lock = await waitForLock(`${this.#path}.lock`, LOCK_SECONDS);
    if (!lock) throw new Failure('unavailable', 'file.lock', `another program keeps ${this.#path} locked`);
    try {
      await appendLine(this.#path, line);
    } catch (error) {
      throw new Failure('unavailable', 'file.write', `cannot write ${this.#path}: ${messageOf(error)}`, {
        cause: error,
      });
    } finally {
      lock.release();
    }
  }

  async #note(id: string, name: string): Promise<void> {
    try {
      nameInCodexIndex(this.codexHome, id, name);
    } catch {
      await delay(INDEX_AGAIN); // Codex is done within moments
      try {
        nameInCodexIndex(this.codexHome, id, name);
      } catch (error) {
        const where = `Codex's index in ${this.codexHome}`;
        throw new Failure(
          'unavailable',
          'codex.index',
          `cannot note the name of session ${id} in ${where}, so Codex may show an older one; name it again: ${messageOf(error)}`,
          { cause: error },
        );
      }
    }
  }
}

/** In one write to the end of the file, whoever else writes there. A line that was torn off is left to itself. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a+', 0o644);
  try {
    await file.write((await endsWithin(file)) ? `\n${line}` : line);
  } finally {
    await file.close();
  }
}

async function endsWithin(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer[0] !== 0x0a;
}
