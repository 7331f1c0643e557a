import { deviceStorage } from '../state/device-storage.ts';
import { Draft } from './draft.ts';
import type { Mode } from './mode-choice.tsx';
import { Outbox } from './outbox.ts';
import { Pictures } from './pictures.ts';

/** New words for a message that waits, not saved yet. */
export type Edited = { id: string; before: string; text: string };

/** What is kept of a session while another one is shown: a send that fails then must not be lost. */
export type Kept = {
  readonly draft: Draft;
  readonly pictures: Pictures;
  readonly outbox: Outbox;
  mode: Mode;
  edited: Edited | null;
  /** Images that were the session's own when it was given what is here. */
  inherited: Pictures | null;
  readonly key: number;
};

/** What is kept of each session, for as long as the page is open. */
export class KeptSessions {
  #made = 0;
  readonly #kept = new Map<string, Kept>();

  of(id: string): Kept {
    const known = this.#kept.get(id);
    if (known) return known;
    const kept: Kept = {
      draft: new Draft(id, deviceStorage()),
      pictures: new Pictures(id, deviceStorage()),
      outbox: new Outbox(id, deviceStorage()),
      mode: 'steer',
      edited: null,
      inherited: null,
      key: this.#made++,
    };
    this.#kept.set(id, kept);
    return kept;
  }

  /** Gives `to` what was written under `from`, unless it has its own and there is nothing to give. */
  take(from: string, to: string): void {
    const left = this.of(from);
    const own = this.#kept.get(to);
    if (own && isEmpty(left)) return;
    if (own) {
      own.draft.write();
      left.inherited = own.pictures;
      left.edited = own.edited;
    }
    this.#kept.delete(from);
    this.#kept.set(to, left);
  }
}

function isEmpty({ draft, pictures, outbox }: Kept): boolean {
  return draft.text === '' && pictures.all.length === 0 && outbox.entries.getState().length === 0;
}
