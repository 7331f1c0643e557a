import { type ChangeEvent, useEffect, useState } from 'react';

/** From the last key to the question: a word typed at once is one question. */
const PAUSE_MS = 150;

/**
 * A field and what is asked for by it, a moment after the last key and never while an input method composes:
 * what stands there then is not what is meant.
 */
export function useQuery(first: string) {
  const [text, setText] = useState(first);
  const [composing, setComposing] = useState(false);
  const meant = text.trim();
  const [query, setQuery] = useState(meant);
  useEffect(() => {
    if (composing) return;
    // an empty field is the list again, which needs no thought
    const timer = setTimeout(() => setQuery(meant), meant === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [meant, composing]);
  return {
    query,
    /** Whether what stands there is what is asked for. */
    isSettled: !composing && meant === query,
    field: {
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
      onCompositionStart: () => setComposing(true),
      onCompositionEnd: () => setComposing(false),
    },
  };
}
