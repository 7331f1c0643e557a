import { useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { deviceStorage } from '../state/device-storage.ts';
import { Draft } from './draft.ts';
import type { Mode } from './mode-choice.tsx';
import { isSending, Outbox } from './outbox.ts';
import { Pictures } from './pictures.ts';

/** What is kept of a session while another one is shown: a send that fails then must not be lost. */
export type Kept = {
  readonly draft: Draft;
  readonly pictures: Pictures;
  readonly outbox: Outbox;
  mode: Mode;
  readonly key: number;
};

/**
 * What a person wrote in a session and the server does not have. What was written before there was one (under the
 * id `unsaved`) goes to the session that comes of it, else to the next one shown; `key` stays the same with it, so
 * that the box is the same element and one can write on meanwhile.
 */
export function useKept(id: string, unsaved: string, created: string | null): Kept {
  const [sessions] = useState(() => new Sessions());
  const left = sessions.of(unsaved);
  // a message that is making a session belongs to that one, whichever is shown meanwhile
  const isFree = !useStore(left.outbox.entries, isSending) || id === created;
  if (id !== unsaved && isFree) sessions.take(unsaved, id);
  const kept = sessions.of(id);
  useLayoutEffect(() => {
    kept.draft.moveTo(id);
    kept.pictures.moveTo(id);
    kept.outbox.moveTo(id);
  }, [kept, id]);
  return kept;
}

class Sessions {
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
    own?.draft.write();
    this.#kept.delete(from);
    this.#kept.set(to, left);
  }
}

function isEmpty({ draft, pictures, outbox }: Kept): boolean {
  return draft.text === '' && pictures.all.length === 0 && outbox.entries.getState().length === 0;
}
