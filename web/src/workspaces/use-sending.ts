import { useState } from 'react';
import type { ApiProblem } from '../api/http.ts';
import type { Refusal } from './entry-form.tsx';
import { placeOf } from './problem-place.ts';

/** Sending a form: once at a time, and where it is refused, why. What was typed is the form's and stays. */
export function useSending() {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const send = async (action: () => Promise<void>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await action();
    } catch (error) {
      const problem = error as ApiProblem;
      setRefusal({ code: problem.code, place: placeOf(problem), sentence: problem.message });
    }
    setBusy(false);
  };
  return { busy, refusal, setRefusal, send };
}
