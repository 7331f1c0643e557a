/** What a session may do by itself, when people are asked, and what a command may be allowed beyond that. */
import * as z from 'zod';

/** How the operating system confines commands: Codex's words. */
export const sandboxMode = z.enum(['read-only', 'workspace-write', 'danger-full-access']);
export type SandboxMode = z.infer<typeof sandboxMode>;

/** When people are asked: Codex's words. */
export const approvalPolicy = z.enum(['untrusted', 'on-request', 'never']);
export type ApprovalPolicy = z.infer<typeof approvalPolicy>;

/** `network`: whether confined commands reach it. */
export const permissions = z.object({
  sandbox: sandboxMode,
  approval: approvalPolicy,
  network: z.boolean(),
});
export type Permissions = z.infer<typeof permissions>;

/** What a person allows beyond the sandbox: all of it, or single things. Paths are absolute and resolved. */
export const grants = z.object({
  /** It runs without any confinement. */
  unconfined: z.literal(true).optional(),
  network: z.literal(true).optional(),
  /** Hidden places it may read. */
  read: z.array(z.string()).optional(),
  write: z.array(z.string()).optional(),
});
export type Grants = z.infer<typeof grants>;

/**
 * What is plainly dangerous about a command: it deletes by force, throws away changes, rewrites what others have,
 * writes to a disk directly, changes owners or modes from the root on, switches the machine off, or becomes root.
 */
export const risk = z.enum(['delete', 'discard', 'rewrite', 'disk', 'everything', 'power', 'root']);
export type Risk = z.infer<typeof risk>;

/** Why this machine cannot confine commands. `detail`: what the operating system said, one line. */
export const sandboxProblem = z.object({
  kind: z.enum([
    'bwrap-missing',
    'bwrap-too-old',
    'userns-limit',
    'userns-denied',
    'apparmor-userns',
    'not-enforcing',
    'untested-architecture',
    'unsupported-system',
    'other',
  ]),
  detail: z.string(),
});
export type SandboxProblem = z.infer<typeof sandboxProblem>;

/** How commands are held, as a session shows it. */
export const held = z.object({
  approvalPolicy: z.string(),
  sandboxMode: z.string(),
  networkAccess: z.boolean(),
  /** False: what runs is not confined by the operating system. */
  confined: z.boolean(),
  /** Why not, where the machine is the reason. */
  sandboxProblem: sandboxProblem.nullable(),
});
export type Held = z.infer<typeof held>;

/**
 * A rule about commands that begin with the same words, in a file that Codex reads as well. Where `pattern` holds
 * a list, any of its words fits there.
 */
export const rule = z.object({
  /** Of its place and text: one that was changed by hand meanwhile is another. */
  id: z.string(),
  pattern: z.array(z.union([z.string(), z.array(z.string())])),
  decision: z.enum(['allow', 'prompt', 'forbidden']),
  justification: z.string().optional(),
  /** The name of its file in `$CODEX_HOME/rules`, and the line it begins on. */
  file: z.string(),
  line: z.number(),
  /** Who made it here, and when; absent for one that a hand or another program wrote. `by`: null without a name. */
  made: z.object({ by: z.string().nullable(), at: z.string() }).optional(),
});
export type Rule = z.infer<typeof rule>;

/** `GET /api/rules`; `DELETE /api/rules/:id` takes one out. */
export const ruleList = z.object({
  /** Where they lie, with `~` for the home of the user the server runs as. */
  dir: z.string(),
  rules: z.array(rule),
  /** What could not be read: it allows nothing. */
  problems: z.array(z.object({ file: z.string(), line: z.number(), message: z.string() })),
});
export type RuleList = z.infer<typeof ruleList>;
