/** Long outputs of commands, beside the conversation: `outputs/<session>/<item>` in the state directory. */
import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const id = z.uuid();

export class Outputs {
  readonly #dir: string;

  constructor(stateDir: string, sessionId: string) {
    this.#dir = join(stateDir, 'outputs', id.parse(sessionId));
  }

  async save(itemId: string, output: string): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#dir, id.parse(itemId)), output, { mode: 0o600 });
  }

  /** Lets another session, which shows the same items, have these outputs as well. What is not kept is left out. */
  async share(itemIds: Iterable<string>, other: Outputs): Promise<void> {
    await mkdir(other.#dir, { recursive: true, mode: 0o700 });
    for (const itemId of itemIds)
      if (id.safeParse(itemId).success)
        await link(join(this.#dir, itemId), join(other.#dir, itemId)).catch(() => undefined);
  }

  /** null when there is none. */
  async read(itemId: string): Promise<string | null> {
    if (!id.safeParse(itemId).success) return null;
    return readFile(join(this.#dir, itemId), 'utf8').catch(() => null);
  }
}
