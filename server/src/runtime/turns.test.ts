import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

type Ports = ConstructorParameters<typeof Turns>[0];

/** A session that was left within a turn. */
function left(isClosed: boolean) {
  const begun: string[] = [];
  const ports = {
    store: { update: () => new Promise<void>(() => undefined) },
    emit: (event: { type: string }) => void begun.push(event.type),
    ...{ isClosed: () => isClosed, changed: () => undefined },
  } as unknown as Ports;
  const openTurn = { id: 't', startedAt: '2026-01-01T00:00:00.000Z' };
  return { begun, turns: new Turns(ports, { openTurn, paused: false, lastTurn: null }) };
}

test('a turn that was left open goes on, but not in a session whose agent is closed', () => {
  const open = left(false);
  open.turns.next();
  expect(open.turns.running).toBe(true);
  expect(open.begun).toEqual(['turn.started']);
  const closed = left(true);
  closed.turns.next();
  expect(closed.turns.running).toBe(false);
  expect(closed.begun).toEqual([]);
});
