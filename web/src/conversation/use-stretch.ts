import type { SessionState } from '@tscodex/shared/session-state';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SessionActions } from '../state/actions.ts';
import { useAction } from '../ui/use-action.ts';
import { afterTrim, around, hasMoved, newest, type Stretch, withNewer, withOlder } from './stretch.ts';

/** What is shown beside the items of the session's state, and how to come to more of it. */
export function useStretch(state: SessionState, actions: SessionActions, following: boolean) {
  const [stretch, setStretch] = useState<Stretch>(() => newest(state, 0));
  const shown = useRef(state);
  const older = useAction();
  const newer = useAction();

  // before the frame is painted, so that none lacks what the state has just let go of
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = state;
    if (hasMoved(before, state)) setStretch((now) => afterTrim(now, before, state, following));
  }, [state, following]);

  const { number } = stretch;
  const [before, after] = [stretch.older, stretch.newer];
  const { run: runOlder } = older;
  const loadOlder = useCallback(() => {
    if (before === null) return;
    void runOlder(async () => {
      const page = await actions.page({ before });
      setStretch((now) =>
        now.number === number && now.older === before ? withOlder(now, page, shown.current.items) : now,
      );
    });
  }, [actions, before, number, runOlder]);

  const { run: runNewer } = newer;
  const loadNewer = useCallback(() => {
    if (after === null) return;
    void runNewer(async () => {
      const page = await actions.page({ after });
      setStretch((now) => (now.newer === after ? withNewer(now, page, shown.current.items) : now));
    });
  }, [actions, after, runNewer]);

  /** Goes to an item that is not here; it is in the page when this resolves. */
  const goAround = useCallback(
    async (id: string) => {
      const page = await actions.page({ around: id });
      flushSync(() => setStretch((now) => around(page, shown.current.items, now.number + 1)));
    },
    [actions],
  );

  /** Back to the state's items, where they are not shown. */
  const toNewest = useCallback(
    () => setStretch((now) => (now.newer === null ? now : newest(shown.current, now.number + 1))),
    [],
  );

  return {
    stretch,
    older: { loading: older.busy, problem: older.problem, load: loadOlder },
    newer: { loading: newer.busy, problem: newer.problem, load: loadNewer },
    goAround,
    toNewest,
  };
}
