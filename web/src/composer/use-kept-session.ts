import { createContext, useContext, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type Kept, KeptSessions } from './kept-sessions.ts';
import { isSending } from './outbox.ts';

/** What is kept over a change of page; without it, as long as the composer is shown. */
export const KeptContext = createContext<KeptSessions | null>(null);

/**
 * What a person wrote in a session and the server does not have. What was written before there was one (under the
 * id `unsaved`) goes to the session that comes of it, else to the next one shown; `key` stays the same with it, so
 * that the box is the same element and one can write on meanwhile.
 */
export function useKeptSession(id: string, unsaved: string, created: string | null): Kept {
  const around = useContext(KeptContext);
  const [own] = useState(() => around ?? new KeptSessions());
  const sessions = around ?? own;
  const left = sessions.of(unsaved);
  // a message that is making a session belongs to that one, whichever is shown meanwhile
  const isFree = !useStore(left.outbox.entries, isSending) || id === created;
  if (id !== unsaved && isFree) sessions.take(unsaved, id);
  const kept = sessions.of(id);
  useLayoutEffect(() => {
    kept.draft.moveTo(id);
    kept.inherited?.handOver(kept.pictures);
    kept.inherited = null;
    kept.pictures.moveTo(id);
    kept.outbox.moveTo(id);
  }, [kept, id]);
  return kept;
}
