import type { SessionSummary } from '@tscodex/shared/workspace';
import { useEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { changeSession } from '../state/session-actions.ts';
import type { Moves } from './session-menu.tsx';
import { inListOrder, withMoved } from './session-order.ts';

/** The sessions in the order of the list, and moving one to another line. It is there at once. */
export function useMoveSession(listed: readonly SessionSummary[]) {
  const { api } = useServices();
  const [moved, setMoved] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const underWay = useRef(0);
  const sessions = inListOrder(listed, moved);

  // once the server has answered, what it tells is right
  useEffect(() => {
    if (listed && underWay.current === 0) setMoved(null);
  }, [listed]);

  const move = (id: string, to: number) => {
    setProblem(null);
    setMoved(
      withMoved(
        sessions.map((session) => session.id),
        id,
        to,
      ),
    );
    underWay.current += 1;
    changeSession(api, id, { position: sessions.length - 1 - to })
      .catch((error: Error) => {
        setMoved(null);
        setProblem(t('sessions.notMoved', { reason: error.message }));
      })
      .finally(() => {
        underWay.current -= 1;
      });
  };
  const movesOf = (id: string | null): Moves => {
    const at = sessions.findIndex((session) => session.id === id);
    if (id === null || at < 0) return { up: null, down: null };
    return {
      up: at === 0 ? null : () => move(id, at - 1),
      down: at === sessions.length - 1 ? null : () => move(id, at + 1),
    };
  };
  return { sessions, move, movesOf, problem };
}
