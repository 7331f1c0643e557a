import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { useRef, useState } from 'react';
import { ApiProblem } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { type Services, useServices } from '../state/services.ts';
import { changeWorkspace, refreshOverview } from '../state/workspace-actions.ts';
import { moved } from './order.ts';

type Move = { id: string; to: number };

/** Moves made one upon another: those behind one that fails were meant in an order that is taken back with it. */
type Line = { broken: boolean };

/** The workspaces in the order one gives them, which the server is told one move after another. */
export function useOrder(workspaces: readonly WorkspaceSummary[]) {
  const services = useServices();
  /** Moves that the overview does not show yet. */
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef(Promise.resolve());
  const line = useRef<Line>({ broken: false });
  const shown = moves.reduce(apply, workspaces);

  const send = async (move: Move, its: Line) => {
    if (its.broken) return;
    try {
      await sendMove(services, move);
      await refreshOverview(services);
      setMoves((before) => before.slice(1));
    } catch (error) {
      its.broken = true;
      line.current = { broken: false };
      setMoves([]);
      setProblem(t('workspaces.notMoved', { reason: (error as Error).message }));
    }
  };
  /** Returns whether there is such a place. */
  const move = (id: string, to: number): boolean => {
    if (apply(shown, { id, to }) === shown) return false;
    setProblem(null);
    setMoves((before) => [...before, { id, to }]);
    const its = line.current;
    sending.current = sending.current.then(() => send({ id, to }, its));
    return true;
  };
  return { shown, move, problem };
}

function apply(list: readonly WorkspaceSummary[], { id, to }: Move): readonly WorkspaceSummary[] {
  return moved(
    list,
    list.findIndex((workspace) => workspace.id === id),
    to,
  );
}

/** What others do to an entry meanwhile is no reason not to move it. */
async function sendMove(services: Services, { id, to }: Move): Promise<void> {
  const change = () => {
    const revision = services.overview.getState().workspaces?.find((one) => one.id === id)?.revision ?? '';
    return changeWorkspace(services.api, id, { revision, position: to });
  };
  try {
    await change();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'workspace.changed') throw error;
    await refreshOverview(services);
    await change();
  }
}
