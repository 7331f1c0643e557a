/**
 * Items: the things a conversation is made of. Types carry the Codex app-server names, so that backends and
 * exports map one to one. An item of a type this version does not know is kept as it came.
 */
import * as z from 'zod';
import { grants, rule } from './permissions.ts';

export const itemStatus = z.enum(['inProgress', 'completed', 'failed', 'declined', 'interrupted']);
export type ItemStatus = z.infer<typeof itemStatus>;

const base = {
  id: z.string(),
  /** null for what belongs to no turn: command results, restarts. */
  turnId: z.string().nullable(),
  status: itemStatus,
  startedAt: z.string(),
  completedAt: z.string().optional(),
};

/** An image that came with a message; `GET /api/workspaces/:ws/attachments/:id` answers with it. */
export const attachment = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number(),
  /** Pixels; so that its place is there before it is. */
  width: z.number().optional(),
  height: z.number().optional(),
});
export type Attachment = z.infer<typeof attachment>;

export const inputMode = z.enum(['steer', 'queue', 'command']);
export type InputMode = z.infer<typeof inputMode>;

export const userMessage = z.object({
  ...base,
  type: z.literal('userMessage'),
  text: z.string(),
  attachments: z.array(attachment),
  /** The name the server knows the sender by; null where nobody gave one. */
  author: z.string().nullable(),
  mode: inputMode,
  inputId: z.string(),
  /** The newest event number the author had seen when sending. */
  seen: z.number().optional(),
});

export const agentMessage = z.object({
  ...base,
  type: z.literal('agentMessage'),
  text: z.string(),
  phase: z.enum(['commentary', 'final']).optional(),
});

export const reasoning = z.object({
  ...base,
  type: z.literal('reasoning'),
  /** Summary parts in order; deltas with field `summary` go to the last one, `summaryPart` opens the next. */
  summary: z.array(z.string()),
  text: z.string().optional(),
});

/** What people decided about something the agent wanted to do, or answered; once it is known. */
export const decision = z.object({
  outcome: z.enum(['answered', 'withdrawn', 'expired']),
  /** Of an approval. */
  choice: z.enum(['once', 'session', 'rule', 'decline', 'stop']).optional(),
  /** What came with a decline, for the agent. */
  reason: z.string().optional(),
  /** With `rule`: the first words of the commands that it allows from now on. */
  rule: z.array(z.string()).optional(),
  by: z.string().nullable(),
});
export type Decision = z.infer<typeof decision>;

/** What let something run that nobody was asked about this time: a rule, or what was allowed earlier, by whom. */
export const allowance = z.discriminatedUnion('how', [
  z.object({ how: z.literal('rule'), pattern: rule.shape.pattern.optional() }),
  z.object({ how: z.literal('session'), by: z.string().nullable() }),
  z.object({ how: z.literal('turn'), by: z.string().nullable() }),
]);
export type Allowance = z.infer<typeof allowance>;

export const commandExecution = z.object({
  ...base,
  type: z.literal('commandExecution'),
  command: z.string(),
  cwd: z.string(),
  /** The whole output, or (when `truncated`) its first OUTPUT_HEAD characters followed by its last ones. */
  output: z.string(),
  /** UTF-8 bytes of the whole output so far. */
  outputBytes: z.number(),
  truncated: z.boolean(),
  /** null while it runs and when a signal ended it. */
  exitCode: z.number().nullable().optional(),
  durationMs: z.number().optional(),
  /** What write_stdin and the background list know a running command by. */
  processId: z.string().optional(),
  /** How it was confined: a sandbox mode, or `none`. */
  sandbox: z.string(),
  /** What it was given beyond that; absent for nothing. */
  grants: grants.optional(),
  allowance: allowance.optional(),
  decision: decision.optional(),
  /** Who ended it by hand; null without a name. */
  endedBy: z.string().nullable().optional(),
});

export const fileEdit = z.object({
  path: z.string(),
  kind: z.enum(['add', 'update', 'delete', 'move']),
  movedTo: z.string().optional(),
  /** Unified diff hunks (`@@ … @@` and lines), without file headers. */
  diff: z.string(),
});
export type FileEdit = z.infer<typeof fileEdit>;

export const fileChange = z.object({
  ...base,
  type: z.literal('fileChange'),
  changes: z.array(fileEdit),
  /** Why it was not applied. */
  error: z.string().optional(),
  allowance: allowance.optional(),
  decision: decision.optional(),
});

export const toolCall = z.object({
  ...base,
  type: z.literal('toolCall'),
  name: z.string(),
  server: z.string().optional(),
  /** The arguments as the model wrote them. */
  arguments: z.string(),
  output: z.string().optional(),
  error: z.string().optional(),
  decision: decision.optional(),
});

export const webSearch = z.object({
  ...base,
  type: z.literal('webSearch'),
  query: z.string(),
  action: z.string().optional(),
});

export const imageView = z.object({
  ...base,
  type: z.literal('imageView'),
  path: z.string(),
  /** The picture as the agent saw it, kept like an attached one; not there when it could not be read. */
  image: attachment.optional(),
});

export const planStep = z.object({
  step: z.string(),
  status: z.enum(['pending', 'inProgress', 'completed']),
});
export type PlanStep = z.infer<typeof planStep>;

export const plan = z.object({
  ...base,
  type: z.literal('plan'),
  explanation: z.string().optional(),
  steps: z.array(planStep),
});

export const compaction = z.object({
  ...base,
  type: z.literal('compaction'),
  /** `manual`, `threshold` or `overflow`. */
  reason: z.string(),
  /** Of what the model sees; `itemsAfter` and what follows are known once it has completed. */
  itemsBefore: z.number(),
  itemsAfter: z.number(),
  tokensBefore: z.number().optional(),
  tokensAfter: z.number().optional(),
  /** What the model goes on with in place of the conversation before. */
  summary: z.string().optional(),
  /** Items that had to be shortened or left out for the model to sum up the rest. */
  shortened: z.number().optional(),
  /** Why it failed: nothing was changed then. */
  error: z.string().optional(),
  /** The stable name of that reason. */
  errorCode: z.string().optional(),
});

/** What an agent that another has started does: how it ended, or that it goes on. */
export const agentStatus = z.enum(['pending', 'running', 'completed', 'failed', 'closed']);
export type AgentStatus = z.infer<typeof agentStatus>;

/** An agent that this one has started. It is a session of its own, with this one as `parentId`. */
export const subAgent = z.object({
  ...base,
  type: z.literal('subAgent'),
  /** The id of its session. */
  agentId: z.string(),
  nickname: z.string(),
  /** What it was told to do. */
  prompt: z.string(),
  agentStatus,
  /** The last thing it said, or why it failed; null as long as there is none. */
  message: z.string().nullable(),
});

export const notice = z.object({
  ...base,
  type: z.literal('notice'),
  level: z.enum(['info', 'warning', 'error']),
  /** Stable name of the occasion, for translation and tests: `model.retry`, `turn.interrupted`, … */
  code: z.string(),
  text: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export const knownItem = z.discriminatedUnion('type', [
  userMessage,
  agentMessage,
  reasoning,
  commandExecution,
  fileChange,
  toolCall,
  webSearch,
  imageView,
  plan,
  compaction,
  subAgent,
  notice,
]);

export type UserMessage = z.infer<typeof userMessage>;
export type AgentMessage = z.infer<typeof agentMessage>;
export type Reasoning = z.infer<typeof reasoning>;
export type CommandExecution = z.infer<typeof commandExecution>;
export type FileChange = z.infer<typeof fileChange>;
export type ToolCall = z.infer<typeof toolCall>;
export type Plan = z.infer<typeof plan>;
export type Compaction = z.infer<typeof compaction>;
export type SubAgent = z.infer<typeof subAgent>;
export type Notice = z.infer<typeof notice>;
export type Item = z.infer<typeof knownItem>;

const knownTypes = new Set<string>(knownItem.options.map((option) => option.shape.type.value));

/** An item as it may arrive: a known one, or one of a newer version, kept whole. A known one must fit. */
export const anyItem = z.union([
  knownItem,
  z.looseObject({
    ...base,
    type: z.string().refine((type) => !knownTypes.has(type), 'does not fit its type'),
  }),
]);
