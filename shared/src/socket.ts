/** Frames of the WebSocket `/api/socket`, one JSON object each. `sub` is a small number for one subscription. */
import * as z from 'zod';
import type { SessionEvent } from './events.ts';
import type { SessionState } from './session-state.ts';
import type { ConfigReport, Me, Person, Problem, WorkspaceSummary } from './workspace.ts';

export const PROTOCOL = 1;

export const clientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('subscribe'),
    session: z.string().max(100),
    epoch: z.string().max(100).optional(),
    after: z.number().int().nonnegative().optional(),
  }),
  z.object({ type: z.literal('unsubscribe'), sub: z.number().int() }),
  z.object({ type: z.literal('overview') }),
  /** What is in view on this page right now; null for nothing, as in a tab behind others. */
  z.object({
    type: z.literal('looking'),
    workspace: z.string().max(100).nullable(),
    session: z.string().max(100).nullable(),
  }),
  z.object({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

export type ServerFrame =
  /** `home`: of the user the server runs as; the page writes it as `~`. */
  | { type: 'hello'; protocol: number; heartbeatMs: number; me: Me; version: string; home: string }
  /** The name of this login has changed. */
  | { type: 'me'; me: Me }
  | { type: 'subscribed'; session: string; sub: number }
  | { type: 'snapshot'; sub: number; epoch: string; seq: number; state: SessionState }
  /** `epoch` is there on the first frame after `subscribed` when events were replayed. */
  | { type: 'events'; sub: number; epoch?: string; events: SessionEvent[] }
  /** `problem` and `config`: as in `GET /api/workspaces`. */
  | { type: 'overview'; workspaces: WorkspaceSummary[]; problem?: Problem; config?: ConfigReport }
  /** Who looks at what, for sockets that asked for the overview; `more` are there beside the first `PEOPLE_LIMIT`. */
  | { type: 'people'; people: Person[]; more: number }
  /** What has become of that since, joined: those that came or changed, and the ids of those that left. */
  | { type: 'people.changed'; people: Person[]; gone: string[]; more: number }
  /** `ref` is the session of the subscribe that failed, or of a subscription that ended. */
  | { type: 'error'; code: string; message: string; ref?: string }
  | { type: 'pong' };
