import { useCallback, useEffect, useState } from 'react';
import { useServices } from '../state/services.ts';

type Known<Answer> = { path: string; answer: Answer };

/**
 * The answer to a question that changes. A question that is not asked any more is given up, and an answer that comes
 * all the same is dropped. The one before stays until the next is there; null asks nothing.
 */
export function useAnswer<Answer>(path: string | null) {
  const { api } = useServices();
  const [known, setKnown] = useState<Known<Answer> | null>(null);
  const [failure, setFailure] = useState<{ path: string; reason: string } | null>(null);
  const [times, setTimes] = useState(0);

  // `times`: the same question, asked again
  useEffect(() => {
    if (path === null) {
      setKnown(null);
      return;
    }
    const { signal, abort } = givenUp();
    api.json<Answer>('GET', path, undefined, signal).then(
      (answer) => {
        if (signal.aborted) return;
        setKnown({ path, answer });
        setFailure(null);
      },
      (error: Error) => {
        if (!signal.aborted) setFailure({ path, reason: error.message });
      },
    );
    return abort;
  }, [api, path, times]);

  return {
    answer: path === null ? null : (known?.answer ?? null),
    /** The question that the answer is to. */
    answered: known?.path ?? null,
    problem: failure !== null && failure.path === path ? failure.reason : null,
    again: useCallback(() => setTimes((before) => before + 1), []),
  };
}

function givenUp(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
