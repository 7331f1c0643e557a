/** What patches change: `codex exec` prints the paths alone, the session's file has the rest. */
import type { FileEdit } from '@tscodex/shared/items';

export class PatchEdits {
  /** As they were written, by their paths. */
  readonly #written = new Map<string, (readonly FileEdit[])[]>();

  add(edits: readonly FileEdit[]): void {
    const key = keyOf(edits);
    const written = this.#written.get(key);
    if (written) written.push(edits);
    else this.#written.set(key, [edits]);
  }

  /** The oldest patch of these paths that nobody has asked for; null where none is written yet. */
  of(edits: readonly FileEdit[]): readonly FileEdit[] | null {
    return this.#written.get(keyOf(edits))?.shift() ?? null;
  }
}

function keyOf(edits: readonly FileEdit[]): string {
  return edits
    .map(({ path }) => path)
    .sort()
    .join('\0');
}
