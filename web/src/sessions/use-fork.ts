import { useState } from 'react';
import type { SessionActions } from '../state/actions.ts';
import { useOpening } from '../state/opening.ts';
import { useAction } from '../ui/use-action.ts';

/** Forks the session that is shown and leads there. `fork` is null where no other session can be shown. */
export function useFork(
  session: string | undefined,
  actions: SessionActions,
): { fork: (() => void) | null; problem: string | null } {
  const opening = useOpening();
  const { problem, run } = useAction();
  // what was said of another session is not said of this one
  const [asked, setAsked] = useState<string>();
  if (!opening || session === undefined) return { fork: null, problem: null };
  const fork = () => {
    setAsked(session);
    void run(async () => opening.openToWrite(await actions.fork(), { text: '', images: [] }));
  };
  return { fork, problem: asked === session ? problem : null };
}
