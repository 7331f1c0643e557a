/**
 * Events: one numbered change of a session each. `seq` counts from 1 within an epoch (a UUID made each time a
 * session is loaded) and never skips, with one exception: a delta that stands for several carries how many
 * (`joined`) and the number of the last. A client ignores a type it does not know, but counts it.
 */
import * as z from 'zod';
import { ask, askAnswer, askOutcome } from './asks.ts';
import { input } from './inputs.ts';
import { agentStatus, anyItem } from './items.ts';
import { held, permissions } from './permissions.ts';

export const usage = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  totalTokens: z.number(),
});
export type Usage = z.infer<typeof usage>;

/** What it cost by the configured prices; not there where one of the models has none. */
export const cost = z.object({ currency: z.string(), turn: z.number(), total: z.number() });
export type Cost = z.infer<typeof cost>;

export const turnError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type TurnError = z.infer<typeof turnError>;

export const turnStatus = z.enum(['completed', 'interrupted', 'failed']);
export type TurnStatus = z.infer<typeof turnStatus>;

/** A command that outlived its turn. */
export const backgroundCommand = z.object({
  processId: z.string(),
  itemId: z.string(),
  command: z.string(),
  startedAt: z.string(),
});
export type BackgroundCommand = z.infer<typeof backgroundCommand>;

/** A sub-agent, as its parent knows it. */
export const agentSummary = z.object({
  id: z.string(),
  nickname: z.string(),
  status: agentStatus,
  /** How many of its asks wait for a person. */
  asks: z.number(),
});
export type AgentSummary = z.infer<typeof agentSummary>;

/** Another program that writes the session's file now; null for what nobody can tell. */
export const writer = z.object({ pid: z.number().nullable(), program: z.string().nullable() });
export type Writer = z.infer<typeof writer>;

/** Wakes the idle agent each `periodMinutes`, counted from the end of its last turn; `nextAt` is null while one runs. */
export const clock = z.object({ periodMinutes: z.number().positive(), nextAt: z.string().nullable() });
export type Clock = z.infer<typeof clock>;

export const sessionStatus = z.enum([
  'idle',
  'sleeping',
  'running',
  'asking',
  'stopping',
  'paused',
  'closed',
]);
export type SessionStatus = z.infer<typeof sessionStatus>;

/** The fields of a session that change by `session.updated`. null clears one. */
export const sessionPatch = z.object({
  title: z.string().nullable().optional(),
  cwd: z.string().optional(),
  model: z.string().nullable().optional(),
  effort: z.string().nullable().optional(),
  profile: z.string().nullable().optional(),
  status: sessionStatus.optional(),
  /** Who else writes it: as long as that is so it can be read here, and is shown as it grows. */
  heldBy: writer.nullable().optional(),
  /** Set while an interrupted turn can be continued. */
  canContinue: z.boolean().optional(),
  ...held.partial().shape,
  /** What was set for this session alone; what is absent is as its workspace, or the configuration, says. */
  ownPermissions: permissions.partial().optional(),
  /** What those say. */
  givenPermissions: permissions.optional(),
  /** How many times something was allowed for the rest of the session and not taken back: `GET …/grants`. */
  grantCount: z.number().optional(),
});
export type SessionPatch = z.infer<typeof sessionPatch>;

const delta = z.object({
  type: z.literal('item.delta'),
  itemId: z.string(),
  delta: z.string(),
  /** Which field grows: `text` unless named; `output` of a command; `summary`, `summaryPart` of reasoning. */
  field: z.enum(['text', 'output', 'summary', 'summaryPart']).optional(),
  /** Bytes of output left out before this delta (only once the head is full). */
  skipped: z.number().optional(),
  /** How many events this one stands for. */
  joined: z.number().int().min(2).optional(),
});

/** Events without their number, as the agent's side emits them. */
export const eventBody = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.updated'), patch: sessionPatch }),
  z.object({ type: z.literal('turn.started'), turn: z.object({ id: z.string(), startedAt: z.string() }) }),
  z.object({
    type: z.literal('turn.completed'),
    turnId: z.string(),
    status: turnStatus,
    error: turnError.optional(),
    /** Of all its requests. */
    usage: usage.optional(),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal('item.started'), item: anyItem }),
  delta,
  z.object({ type: z.literal('item.updated'), item: anyItem }),
  z.object({ type: z.literal('item.completed'), item: anyItem }),
  z.object({ type: z.literal('input.accepted'), input }),
  z.object({ type: z.literal('input.changed'), waiting: z.array(input) }),
  z.object({ type: z.literal('input.taken'), inputIds: z.array(z.string()), turnId: z.string().nullable() }),
  z.object({ type: z.literal('ask.opened'), ask }),
  z.object({
    type: z.literal('ask.closed'),
    askId: z.string(),
    outcome: askOutcome,
    by: z.string().nullable().optional(),
    answer: askAnswer.optional(),
  }),
  z.object({
    type: z.literal('usage.updated'),
    /** Of the newest request. */
    last: usage,
    /** Of the running turn so far, or of the newest one. */
    turn: usage.optional(),
    /** Of the session, all that was ever asked in it. */
    total: usage,
    cost: cost.optional(),
    /** The models that have no price, where others have: why the cost is not there. '' is one nobody recorded. */
    unpriced: z.array(z.string()).optional(),
    /** Tokens that the conversation takes now; not there where the model did not say. */
    contextTokens: z.number().optional(),
    /** Whether that is our own estimate: after a compaction, or for another model. */
    contextEstimated: z.boolean().optional(),
    contextWindow: z.number().optional(),
    /** Percent, 0 to 100. */
    contextLeft: z.number().optional(),
  }),
  z.object({
    type: z.literal('model.retrying'),
    attempt: z.number(),
    max: z.number(),
    delayMs: z.number(),
    httpStatus: z.number().optional(),
    message: z.string(),
  }),
  /** What is absent is as it was. */
  z.object({
    type: z.literal('background.updated'),
    commands: z.array(backgroundCommand).optional(),
    clock: clock.nullable().optional(),
    held: z.boolean().optional(),
  }),
  z.object({ type: z.literal('agents.updated'), agents: z.array(agentSummary) }),
]);
export type EventBody = z.infer<typeof eventBody>;
export type ItemDelta = z.infer<typeof delta>;

export type SessionEvent = EventBody & { seq: number };
