import { useCallback, useEffect, useRef, useState } from 'react';
import { readDraft, writeDraft } from './drafts.ts';

/** Milliseconds of quiet after which a draft is written: a long one costs time at every key otherwise. */
const QUIET = 200;

/** The draft of one session. It is written when typing pauses, and at the latest when the page goes away. */
export function useDraft(sessionId: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(localStorage, sessionId));
  const unsaved = useRef<string | null>(null);
  const timer = useRef(0);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    if (unsaved.current !== null) writeDraft(localStorage, sessionId, unsaved.current);
    unsaved.current = null;
  }, [sessionId]);

  const change = useCallback(
    (next: string) => {
      setText(next);
      unsaved.current = next;
      clearTimeout(timer.current);
      // an emptied box is written at once: what was sent must not come back as a draft
      if (next === '') save();
      else timer.current = window.setTimeout(save, QUIET);
    },
    [save],
  );

  useEffect(() => {
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  return [text, change];
}
