/**
 * A tool: what the model may call. One file a tool, made with `defineTool` (JSON arguments) or `defineCustomTool`
 * (free text under a grammar), listed in `registry`. What a tool needs from the rooms above reaches it through
 * `ToolContext`.
 */
import type { Approval, Ask, Question } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import type { Allowance, Attachment } from '@tscodex/shared/items';
import type { Grants } from '@tscodex/shared/permissions';
import * as z from 'zod';
import type { Policy } from '../approvals/decide.ts';
import type { Rules } from '../approvals/rules.ts';
import type { ContentPart, MessageItem, ResponseItem } from '../base/response-items.ts';
import type { ProcessManager } from '../exec/process-manager.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import type { ToolSpec } from '../model/client.ts';
import type { Agents } from './agents.ts';
import type { NeverPlaces } from './grants.ts';

/** What the model gets back. A failure is a result like any other: `success` false, the reason in `output`. */
export type ToolResult = {
  output: string | ContentPart[];
  success: boolean;
  /** What the model reads beyond it, after the outputs of all calls of the same answer. */
  followUp?: readonly MessageItem[];
};

export type ApprovalDecision =
  /** `rule`: the words of the rule that was made. */
  | { allowed: true; scope: 'once' | 'session' | 'rule'; rule?: string[] }
  /** `reason`: the words the person wants the model to see. */
  | { allowed: false; reason?: string };

/** Earlier leave for what would be asked about now. */
export type AllowedBy = Extract<Allowance, { how: 'session' | 'turn' }>;

/** How a tool reaches a person. Both reject with the signal's reason when the turn is interrupted meanwhile. */
export interface Asking {
  /** `grants`: what "for this session" would cover, as the keys in `session-grants` name it. */
  approve(approval: Approval, grants: readonly string[]): Promise<ApprovalDecision>;
  /** Answers by question id, one or more texts each. Throws `Failure` where nobody can be asked. */
  question(questions: Question[]): Promise<Record<string, string[]>>;
  /** What an MCP server asks; it may be refused. */
  form(from: NonNullable<Ask['from']>, questions: Question[]): Promise<FormAnswer>;
}

export type FormAnswer = { answers: Record<string, string[]> } | { refuse: 'decline' | 'cancel' };

/** Where the images are kept that people see. */
export interface ImageShelf {
  /** Throws `Failure` when the disk refuses. */
  keep(bytes: Buffer, name: string): Promise<Attachment>;
}

/** What holds the session's commands, as its settings are at the moment. */
export interface Holding {
  /** For a command that is given these grants; null: nothing holds it. */
  confinement(grants: Grants): Confinement | null;
  /** Those of the paths (absolute, resolved) that such a command could not write; none where nothing holds it. */
  outside(paths: readonly string[], grants: Grants): string[];
  /** Tells of paths (absolute, resolved) whether such a command, begun now, could not see them. Costly to make. */
  hiding(grants: Grants): (path: string) => boolean;
  /** Where commands may write in some mode, of this session or another one: what lies there may be an agent's. */
  readonly everWritable: readonly string[];
  /** What nobody may allow. */
  readonly never: NeverPlaces;
}

export type ToolContext = {
  sessionId: string;
  turnId: string;
  callId: string;
  /** The id of the item that shows this call; the same after a restart. */
  itemId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  /** Aborted when the turn is interrupted. */
  signal: AbortSignal;
  policy: Policy;
  rules: Pick<Rules, 'judge' | 'noRule'>;
  ask: Asking;
  holding: Holding;
  /** What people have allowed beyond the sandbox, for all commands of the turn or the session. */
  allowed(): Grants;
  /** Who has allowed what a key of `session-grants` names, for the turn or the session; null: nobody. */
  allowedBy(key: string): AllowedBy | null;
  processes: ProcessManager;
  /** The environment commands run in. Rejects with the signal's reason. */
  environment(): Promise<Record<string, string>>;
  images: ImageShelf;
  /** null where none can be started. */
  agents: Agents | null;
  /** What the model sees of the conversation so far. */
  conversation(): readonly ResponseItem[];
  emit(event: EventBody): void;
  /** Has the idle agent woken every so many minutes; null: no more. Resolves once saved. Throws `Failure`. */
  setClock(periodMinutes: number | null): Promise<void>;
  /**
   * Saves that this call has begun to act; await it right before the first effect. A call that has not begun is
   * started again after a crash, one that has is not.
   */
  begin(): Promise<void>;
  /** True once a steer waits: long polls return early for it. */
  steerWaiting(): boolean;
  /** Calls `listener` for each steer that arrives from now on; returns how to end that. */
  onSteer(listener: () => void): () => void;
};

/** `Context`: what it needs of a `ToolContext`. */
export type Tool<Context = ToolContext> = {
  name: string;
  spec: ToolSpec;
  /** May run beside other calls of the same response. */
  parallel: boolean;
  /** `own`: the tool emits its item itself; `toolCall`: the loop shows a plain tool call. */
  shows: 'own' | 'toolCall';
  /** Takes the model's raw arguments. Must not throw but for the signal's reason and for bugs. */
  call(rawArguments: string, context: Context): Promise<ToolResult>;
};

/** A tool with JSON arguments. Arguments that are no JSON or do not fit become a failed result that says so. */
export function defineTool<S extends z.ZodObject, Context = ToolContext>(options: {
  name: string;
  description: string;
  parameters: S;
  parallel?: boolean;
  shows: Tool['shows'];
  run(args: z.output<S>, context: Context): Promise<ToolResult>;
}): Tool<Context> {
  let parameters: Record<string, unknown> | null = null;
  return {
    name: options.name,
    get spec(): ToolSpec {
      // made when it is first sent: the server starts sooner
      parameters ??= jsonSchema(options.parameters);
      const description = options.description.trim();
      return { type: 'function', name: options.name, description, parameters, strict: false };
    },
    parallel: options.parallel ?? false,
    shows: options.shows,
    async call(raw, context) {
      const args = parseArguments(options.name, options.parameters, raw);
      return 'failed' in args ? args.failed : options.run(args.value, context);
    },
  };
}

/** A tool that takes free text under a lark grammar. */
export function defineCustomTool(options: {
  name: string;
  description: string;
  grammar: string;
  shows: Tool['shows'];
  run(input: string, context: ToolContext): Promise<ToolResult>;
}): Tool {
  return {
    name: options.name,
    spec: {
      type: 'custom',
      name: options.name,
      description: options.description.trim(),
      format: { type: 'grammar', syntax: 'lark', definition: options.grammar },
    },
    parallel: false,
    shows: options.shows,
    call: options.run,
  };
}

function jsonSchema(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return parameters;
}

/** Nothing, blanks and `null` count as `{}`: models write all of them for "no arguments". */
function parseArguments<S extends z.ZodObject>(
  name: string,
  schema: S,
  raw: string,
): { value: z.output<S> } | { failed: ToolResult } {
  const failed = (why: string) => ({ failed: { output: `${name}: ${why}`, success: false } });
  let json: unknown;
  try {
    json = raw.trim() === '' ? {} : (JSON.parse(raw) ?? {});
  } catch (error) {
    return failed(`the arguments are not valid JSON (${(error as Error).message}); nothing was run`);
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { value: parsed.data } : failed(z.prettifyError(parsed.error));
}
