/** Bodies of the HTTP API around workspaces and sessions. */
import * as z from 'zod';
import { askBrief } from './asks.ts';
import { sessionStatus, turnStatus } from './events.ts';
import { anyItem } from './items.ts';
import { NAME_LIMIT, TITLE_LIMIT, WORKSPACE_NAME_LIMIT } from './limits.ts';
import { held, permissions } from './permissions.ts';
import type { SessionState } from './session-state.ts';

/** What is wrong: one sentence under a stable code, and what else it says of itself. */
export const problem = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Problem = z.infer<typeof problem>;

export const sessionSummary = z.object({
  id: z.string(),
  title: z.string().nullable(),
  status: sessionStatus,
  /** What waits for a person, oldest first. */
  asks: z.array(askBrief),
  /** How the newest turn that has ended did so; null before the first. */
  lastTurn: z.object({ id: z.string(), status: turnStatus, at: z.string() }).nullable(),
  model: z.string().nullable(),
  createdAt: z.string(),
  lastActivityAt: z.string(),
  /** Why the session could not be loaded. */
  problem: problem.optional(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

export const workspaceSummary = z.object({
  id: z.string(),
  name: z.string(),
  /** Its directory, links resolved, with `~` for the home of the user the server runs as. */
  dir: z.string(),
  /** Why it cannot be used; it then has no sessions. With `entry.dirMissing`, `PATCH` with `createDir` mends it. */
  problem: problem.optional(),
  /** Changes whenever its entry in workspaces.json does; `PATCH` says which one it means to change. */
  revision: z.string(),
  board: z.object({
    enabled: z.boolean(),
    path: z.string(),
    /** Changes whenever the file does; null while there is none. */
    version: z.string().nullable(),
  }),
  /** What its entry in workspaces.json says for its sessions; what it leaves out is the server's configuration. */
  permissions: permissions.partial(),
  /** What a session that is made now will have; absent where none can be. */
  newSessions: held.optional(),
  sessions: z.array(sessionSummary),
});
export type WorkspaceSummary = z.infer<typeof workspaceSummary>;

/** What is to be said about the files of the configuration. */
export const configReport = z.object({
  /** Why some of them cannot be read right now: what was read before holds until they are mended. And why the models they name cannot be called. */
  problems: z.array(problem),
  /** What of them is left out, or taken otherwise than it is written. */
  notices: z.array(problem),
});
export type ConfigReport = z.infer<typeof configReport>;

/** `GET /api/workspaces` */
export const workspaceList = z.object({
  workspaces: z.array(workspaceSummary),
  /** Why workspaces.json cannot be read right now: the list is as it was before, and cannot be changed. */
  problem: problem.optional(),
  /** Absent where there is nothing to say. */
  config: configReport.optional(),
});

/**
 * Body of `POST /api/workspaces`. Without a name the next free `workspace-N`; without a directory the one
 * workspaces.json lies in, or for the built-in list where the server was started; without a board `.tscodex/<id>.html` in the directory. The directory is made if absent.
 */
export const newWorkspace = z.strictObject({
  name: z.string().trim().min(1).max(WORKSPACE_NAME_LIMIT).optional(),
  dir: z.string().trim().min(1).max(4096).optional(),
  board: z.string().trim().min(1).max(4096).optional(),
});
export type NewWorkspace = z.infer<typeof newWorkspace>;

/** Body of `PATCH /api/workspaces/:ws`; answered with 409 when the entry is not at `revision` any more. */
export const workspaceChange = z.strictObject({
  revision: z.string().max(100),
  name: z.string().trim().min(1).max(WORKSPACE_NAME_LIMIT).optional(),
  dir: z.string().trim().min(1).max(4096).optional(),
  board: z.string().trim().min(1).max(4096).optional(),
  /** Makes the directory that is missing. */
  createDir: z.literal(true).optional(),
  /** Its new place in the list, from 0. */
  position: z.number().int().nonnegative().optional(),
  /** Of its sessions that were not set by themselves. null takes one back to the server's configuration. */
  permissions: z
    .strictObject({
      sandbox: permissions.shape.sandbox.nullable().optional(),
      approval: permissions.shape.approval.nullable().optional(),
      network: z.boolean().nullable().optional(),
    })
    .optional(),
});
export type WorkspaceChange = z.infer<typeof workspaceChange>;

/**
 * `GET /api/directories?path=&workspace=`: the directories that `path` may be completed to, as one would type
 * them, at most 50. Relative paths start where they do for `POST /api/workspaces`, or with `workspace` at that one's
 * directory, beyond which nothing is told.
 */
export const directoryList = z.object({ directories: z.array(z.string()) });

/** A model that a new session can be started with. */
export const modelChoice = z.object({ id: z.string(), label: z.string(), demo: z.boolean() });
export type ModelChoice = z.infer<typeof modelChoice>;

/** A profile of the configuration that a new session can be started with. */
export const profileChoice = z.object({
  name: z.string(),
  /** What it asks then; null: none. */
  model: z.string().nullable(),
  /** Why nothing can be asked with it. */
  problem: problem.optional(),
});
export type ProfileChoice = z.infer<typeof profileChoice>;

/**
 * What drives a session's agent: `native` is ours; `codex` is the Codex of whoever runs the server, by its app-server,
 * `codex-exec` the same by one process a turn.
 */
export const backend = z.enum(['native', 'codex', 'codex-exec']);
export type Backend = z.infer<typeof backend>;

/**
 * What a new session can be driven by; the first where nothing is said. `problem`: why it cannot. `version`: of its
 * program, as soon as that is known. `notice`: what is to be known before it is chosen.
 */
export const backendChoice = z.object({
  id: backend,
  problem: problem.optional(),
  version: z.string().optional(),
  notice: problem.optional(),
});
export type BackendChoice = z.infer<typeof backendChoice>;

/** `GET /api/workspaces/:ws/sessions` */
export const sessionList = z.object({
  sessions: z.array(sessionSummary),
  models: z.array(modelChoice),
  /** By their names; empty where the configuration has none. */
  profiles: z.array(profileChoice),
  backends: z.array(backendChoice),
  /** Those that were closed and can be reopened, the newest 100, newest first. */
  closed: z.array(sessionSummary),
});
export type SessionList = z.infer<typeof sessionList>;

/** Body of `POST /api/workspaces/:ws/sessions` */
export const newSession = z
  .strictObject({
    title: z.string().max(TITLE_LIMIT).optional(),
    /** Without one that of the server, if it has one. It stays the session's. */
    profile: z.string().min(1).max(200).optional(),
    model: z.string().max(200).optional(),
    effort: z.string().max(50).optional(),
    /** Without one what the configuration says. */
    backend: backend.optional(),
    /** Where its agent works: the workspace's directory, or one below it, relative to it or absolute. */
    cwd: z.string().min(1).max(4096).optional(),
    /**
     * The id of a closed session to open again, or of one of the catalogue that was never open here; stands alone.
     * Answered with 200 when it is open already.
     */
    resume: z.uuid().optional(),
  })
  .refine((asked) => asked.resume === undefined || Object.keys(asked).length === 1, {
    error: 'resume stands alone: a session that is opened again keeps its settings',
    path: ['resume'],
  });
export type NewSession = z.infer<typeof newSession>;

/** Body of `PATCH /api/sessions/:s` */
export const sessionChange = z.strictObject({
  title: z.string().max(TITLE_LIMIT).optional(),
  model: z.string().min(1).max(200).optional(),
  /** One that the model takes, as far as that is known; '' for the model's own. */
  effort: z.string().max(50).optional(),
  /** Where its agent works from its next command on: as for a new session. */
  cwd: z.string().min(1).max(4096).optional(),
  /** Of what its commands may do; null takes one back to what its workspace, or the configuration, says. */
  sandbox: permissions.shape.sandbox.nullable().optional(),
  approval: permissions.shape.approval.nullable().optional(),
  network: z.boolean().nullable().optional(),
  /** Its new place among the open sessions of its workspace, from 0. */
  position: z.number().int().nonnegative().optional(),
});
export type SessionChange = z.infer<typeof sessionChange>;

/** A model that a session can go on with, and the efforts it takes; null where that is not known. */
export const sessionModel = z.object({ id: z.string(), efforts: z.array(z.string()).nullable() });
export type SessionModel = z.infer<typeof sessionModel>;

/** `GET /api/sessions/:s/models`: its own first, then those that the provider lists. */
export const sessionModels = z.object({ models: z.array(sessionModel) });

/**
 * `GET /api/sessions/:s/items?before=|after=|around=&limit=`: those before or after an item, or it with some on both
 * sides; oldest first, at most PAGE_BYTES of them.
 */
export const itemPage = z.object({
  items: z.array(anyItem),
  /** The cursor for the page before; null: there is none. */
  older: z.string().nullable(),
  /** The cursor for the page after. */
  newer: z.string().nullable(),
});
export type ItemPage = z.infer<typeof itemPage>;

/** `GET /api/sessions/:s/find?q=`: where in the whole conversation something is said. */
export const found = z.object({
  /** Items, oldest first, at most 1,000. */
  itemIds: z.array(z.string()),
  /** Whether there are more. */
  cut: z.boolean(),
});
export type Found = z.infer<typeof found>;

/** Body of `POST /api/sessions/:s/fork`: a new session that begins with the conversation of this one. */
export const fork = z.strictObject({
  /** A message of a person: the conversation up to it, without it. Absent: all of it, as far as its turns have ended. */
  before: z.string().max(100).optional(),
});
export type ForkAsked = z.infer<typeof fork>;

/** `GET /api/sessions/:s/export?format=`: the whole conversation as a file. */
export const exportFormat = z.enum(['markdown', 'json']);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Every failed API request. */
export const apiError = z.object({ error: problem });
export type ApiError = z.infer<typeof apiError>;

/** Control, direction and zero-width characters, and the letters that are drawn as nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** The name a person goes by: one line of text, nothing invisible. */
export const personName = z
  .string()
  .transform((name) => name.replace(/\s+/g, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, 'a name needs at least one character')
      .max(NAME_LIMIT, `a name has at most ${NAME_LIMIT} characters`)
      .refine((name) => !INVISIBLE.test(name), 'a name holds no invisible characters'),
  );

/** `GET /api/me`, `PUT /api/me {name}`. `id` is the same on all pages of this login and tells nothing else. */
export const me = z.object({ id: z.string(), name: z.string().nullable() });
export type Me = z.infer<typeof me>;

/** Body of `PUT /api/me`: the name this device's person goes by from now on. */
export const newName = z.strictObject({ name: personName });

/** Somebody with a page open, and what is in view on their pages. */
export type Person = Me & { looking: { workspace: string; session: string | null }[] };

/** Body of `POST /api/login` */
export const login = z.strictObject({
  password: z.string().max(4096).optional(),
  token: z.string().max(4096).optional(),
  /** What this device's person went by last. One that is none keeps nobody out: they are asked again. */
  name: personName.optional().catch(undefined),
});
export type Login = z.infer<typeof login>;

/** `GET /api/sessions/:s` */
export type SessionSnapshot = { epoch: string; seq: number; state: SessionState };
