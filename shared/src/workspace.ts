/** Bodies of the HTTP API around workspaces and sessions. */
import * as z from 'zod';
import { sessionStatus } from './events.ts';
import { anyItem } from './items.ts';
import type { SessionState } from './session-state.ts';

export const sessionSummary = z.object({
  id: z.string(),
  title: z.string().nullable(),
  status: sessionStatus,
  /** How many asks wait for a person. */
  asks: z.number(),
  model: z.string().nullable(),
  createdAt: z.string(),
  lastActivityAt: z.string(),
  /** Why the session could not be loaded. */
  problem: z.string().optional(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

export const workspaceSummary = z.object({
  id: z.string(),
  name: z.string(),
  /** Its directory, links resolved, with `~` for the home of the user the server runs as. */
  dir: z.string(),
  /** Why it cannot be used; it then has no sessions. */
  problem: z.string().optional(),
  board: z.object({
    enabled: z.boolean(),
    path: z.string(),
    /** Changes whenever the file does; null while there is none. */
    version: z.string().nullable(),
  }),
  sessions: z.array(sessionSummary),
});
export type WorkspaceSummary = z.infer<typeof workspaceSummary>;

/** `GET /api/workspaces` */
export const workspaceList = z.object({ workspaces: z.array(workspaceSummary) });

/** A model that a new session can be started with. */
export const modelChoice = z.object({ id: z.string(), label: z.string(), demo: z.boolean() });
export type ModelChoice = z.infer<typeof modelChoice>;

/** `GET /api/workspaces/:ws/sessions` */
export const sessionList = z.object({ sessions: z.array(sessionSummary), models: z.array(modelChoice) });
export type SessionList = z.infer<typeof sessionList>;

/** Body of `POST /api/workspaces/:ws/sessions` */
export const newSession = z.strictObject({
  title: z.string().max(200).optional(),
  model: z.string().max(200).optional(),
  effort: z.string().max(50).optional(),
});
export type NewSession = z.infer<typeof newSession>;

/** Body of `PATCH /api/sessions/:s` */
export const sessionChange = z.strictObject({
  title: z.string().max(200).optional(),
  model: z.string().min(1).max(200).optional(),
  effort: z.string().max(50).optional(),
});
export type SessionChange = z.infer<typeof sessionChange>;

/** `GET /api/sessions/:s/items` */
export const itemPage = z.object({ items: z.array(anyItem), older: z.string().nullable() });
export type ItemPage = z.infer<typeof itemPage>;

/** Every failed API request: what happened, in one sentence, under a stable code. */
export const apiError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ApiError = z.infer<typeof apiError>;

/** `GET /api/me` */
export const me = z.object({ name: z.string().nullable() });
export type Me = z.infer<typeof me>;

/** Body of `POST /api/login` */
export const login = z.strictObject({
  password: z.string().max(4096).optional(),
  token: z.string().max(4096).optional(),
  name: z.string().max(100).optional(),
});
export type Login = z.infer<typeof login>;

/** `GET /api/sessions/:s` */
export type SessionSnapshot = { epoch: string; seq: number; state: SessionState };
