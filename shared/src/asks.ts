/** Asks: a question or an approval that waits for a person. Each ends exactly once. */
import * as z from 'zod';
import { fileEdit } from './items.ts';
import { ANSWER_LIMIT, RULE_LIMIT } from './limits.ts';
import { grants, risk, rule } from './permissions.ts';

/** What an answer in one's own words has to be. `least` and `most`: of a number its value, of a text its length. */
export const answerField = z.object({
  type: z.enum(['text', 'number', 'integer', 'boolean']),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  least: z.number().optional(),
  most: z.number().optional(),
});
export type AnswerField = z.infer<typeof answerField>;

export const question = z.object({
  id: z.string(),
  /** A few words above the question. */
  header: z.string(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })).optional(),
  /** Whether an answer in one's own words is taken beside the options. */
  allowOther: z.boolean(),
  /** Any words where nothing is said. A boolean is answered `true` or `false`. */
  field: answerField.optional(),
  /** Whether several of the options may be chosen. */
  several: z.boolean().optional(),
  /** Whether it may be left without an answer. */
  optional: z.boolean().optional(),
});
export type Question = z.infer<typeof question>;

/**
 * Why no rule is offered for a command: it does something dangerous; its words depend on the shell (a variable, a
 * redirection, a pattern); it is several commands that no one rule covers; one of its programs does whatever it is
 * told, or reads and writes any file it is given; too much would begin like it; git would listen to a repository that
 * agents can change.
 */
export const noRule = z.enum(['risk', 'shell', 'several', 'program', 'short', 'git']);
export type NoRule = z.infer<typeof noRule>;

export const approval = z.object({
  what: z.enum(['command', 'patch', 'permissions', 'mcp']),
  command: z.string().optional(),
  cwd: z.string().optional(),
  changes: z.array(fileEdit).optional(),
  /** What the model gives as its reason. */
  reason: z.string().optional(),
  /** The rule that wants people asked: what it is about, in words, and its own words. */
  because: rule.pick({ pattern: true, justification: true }).optional(),
  /** What holds the command in: a sandbox mode, or `none` ("not confined"). */
  sandbox: z.string().optional(),
  /** What it may do beyond its sandbox if it is allowed. */
  grants: grants.optional(),
  risk: risk.optional(),
  /** The first words of commands that would never be asked about again; a person may make it longer or shorter. */
  rule: z.array(z.string()).optional(),
  noRule: noRule.optional(),
});
export type Approval = z.infer<typeof approval>;

/**
 * `once`, `session`: allow. `rule`: allow, and from now on whatever begins like it. `decline`: the turn goes on; a
 * reason reaches the model. `stop`: decline, and end the turn.
 */
export const approvalChoice = z.enum(['once', 'session', 'rule', 'decline', 'stop']);
export type ApprovalChoice = z.infer<typeof approvalChoice>;

export const ask = z.object({
  id: z.string(),
  sessionId: z.string(),
  turnId: z.string(),
  itemId: z.string().optional(),
  kind: z.enum(['question', 'approval']),
  openedAt: z.string(),
  expiresAt: z.string().optional(),
  questions: z.array(question).optional(),
  /**
   * The MCP server whose questions these are: they may be refused. `url`: a page of its own, to be looked at before;
   * http or https.
   */
  from: z.object({ server: z.string(), message: z.string(), url: z.string().optional() }).optional(),
  approval: approval.optional(),
  choices: z.array(z.object({ id: approvalChoice, label: z.string() })).optional(),
});
export type Ask = z.infer<typeof ask>;

/** An ask in few words, for lists that show what waits in many sessions. */
export const askBrief = z.object({
  id: z.string(),
  kind: z.enum(['question', 'approval']),
  /** Of an approval. */
  what: approval.shape.what.optional(),
  cwd: approval.shape.cwd,
  sandbox: approval.shape.sandbox,
  grants: approval.shape.grants,
  risk: approval.shape.risk,
  /** The command, the paths of a patch, the reason for permissions or the question; cut to `BRIEF_LIMIT` characters. */
  text: z.string(),
  /** The model's, of what is not told by it in `text`; cut to `BRIEF_LIMIT` characters. */
  reason: approval.shape.reason,
  because: approval.shape.because,
  /** Something of it is not in `text`, or does not show in it: it cannot be decided from here. */
  cut: z.boolean(),
  openedAt: z.string(),
  /** Who asks, and is answered, where that is not the session's own agent but one that this has started. */
  agent: z.object({ id: z.string(), nickname: z.string() }).optional(),
});
export type AskBrief = z.infer<typeof askBrief>;

/** Body of `POST /api/sessions/:s/asks/:id`. `refuse`: for what an MCP server asks; to cancel is to decide nothing. */
export const askAnswer = z.union([
  z.strictObject({ answers: z.record(z.string(), z.array(z.string().max(ANSWER_LIMIT)).min(1)) }),
  z.strictObject({ refuse: z.enum(['decline', 'cancel']) }),
  z.strictObject({
    choice: approvalChoice,
    /** With `decline`. */
    reason: z.string().max(ANSWER_LIMIT).optional(),
    /** With `rule`: the words as they were confirmed. */
    rule: z.array(z.string().min(1).max(RULE_LIMIT.word)).min(1).max(RULE_LIMIT.words).optional(),
  }),
]);
export type AskAnswer = z.infer<typeof askAnswer>;

/**
 * Something that a person has allowed for the rest of a session. `GET /api/sessions/:s/grants` has all of them, the
 * newest first; `DELETE …/grants/:id` takes one back, from the next command on.
 */
export const sessionGrant = z.object({
  /** The id of the ask it was the answer to. */
  id: z.string(),
  what: approval.shape.what,
  /** The command, cut to `BRIEF_LIMIT` characters, and where it may run. */
  command: approval.shape.command,
  cwd: approval.shape.cwd,
  /** What holds it: a sandbox mode, or `none`. */
  sandbox: approval.shape.sandbox,
  /** The files of a patch, absolute, the first of them; and how many there are besides. */
  paths: z.array(z.string()).optional(),
  morePaths: z.number().optional(),
  grants: approval.shape.grants,
  by: z.string().nullable(),
  at: z.string(),
});
export type SessionGrant = z.infer<typeof sessionGrant>;
export const sessionGrants = z.object({ grants: z.array(sessionGrant) });

export const askOutcome = z.enum(['answered', 'withdrawn', 'expired']);
export type AskOutcome = z.infer<typeof askOutcome>;

/** `GET /api/sessions/:s/asks/:id`: how an ask has ended, by whom and with what; `outcome` is null while it waits. */
export const askEnding = z.object({
  outcome: askOutcome.nullable(),
  by: z.string().nullable(),
  answer: askAnswer.optional(),
});
export type AskEnding = z.infer<typeof askEnding>;
