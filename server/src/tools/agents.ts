/** What the tools about agents that an agent starts have in common: who these are reached by, and how they read. */
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { type MessageItem, type ResponseItem, userText } from '../base/response-items.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** How an agent stands, in pycodex's words; what is no word is final, as are `shutdown` and `not_found`. */
export type AgentStanding =
  | 'pending_init'
  | 'running'
  | 'shutdown'
  | 'not_found'
  | { completed: string | null }
  | { errored: string };

export type SpawnedAgent = {
  prompt: string;
  /** Whether it is the user's own Codex, which knows nothing but the prompt and answers once. */
  codex: boolean;
  /** The conversation it begins with; null: none. */
  history: readonly ResponseItem[] | null;
  /** undefined: as the one that starts it; of Codex, what that has configured. */
  model?: string;
  effort?: string;
};

/** Waits end early, as `onSteer` says. */
export type AgentWait = { ms: number } & Pick<ToolContext, 'signal' | 'steerWaiting' | 'onSteer'>;

/** The agents that this one has started. All of it throws `Failure` for what can be expected. */
export interface Agents {
  /** `call`: what shows it in the conversation. Throws `agent.limit`. */
  spawn(
    asked: SpawnedAgent,
    call: { itemId: string; turnId: string },
  ): Promise<{ id: string; nickname: string }>;
  /** `interrupt`: it sees it in its running turn. Returns the id of what was sent. Throws `agent.unknown`, `agent.closed`. */
  send(id: string, prompt: string, interrupt: boolean): Promise<string>;
  /** Opens a closed one again. Returns how it then stands. Throws `agent.limit`. */
  resume(id: string): Promise<AgentStanding>;
  /**
   * Resolves as soon as one of them is final. What it tells is told: none of it wakes the agent later. Rejects with the
   * signal's reason.
   */
  wait(
    ids: readonly string[],
    wait: AgentWait,
  ): Promise<{ status: Record<string, AgentStanding>; timedOut: boolean }>;
  /** Returns how it stood before. */
  close(id: string): Promise<AgentStanding>;
}

/** UTF-16 units of an agent's last message that another agent reads. */
const MESSAGE_SHOWN = 40_000;

const part = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
export const message = {
  message: z.string().optional().describe('What it is to do, in plain words. Give this or items.'),
  items: z
    .array(part)
    .optional()
    .describe('The same in parts, such as {"type":"text","text":"…"}. Give this or message.'),
};

type Message = { message?: string | undefined; items?: z.infer<typeof part>[] | undefined };

/** One text of both forms. Throws `agent.message` where neither says anything. */
export function promptOf({ message: text, items = [] }: Message): string {
  const parts = [text ?? '', ...items.map(partText)].map((one) => one.trim()).filter(Boolean);
  if (parts.length === 0) throw new Failure('invalid', 'agent.message', 'Provide one of: message or items');
  return parts.join('\n\n');
}

function partText({ type, text, ...rest }: z.infer<typeof part>): string {
  if (text !== undefined) return text;
  const url = rest.image_url;
  if (typeof url === 'string') return `[image] ${url}`;
  return JSON.stringify({ ...(type === undefined ? {} : { type }), ...rest });
}

/** Runs a call about agents; what can be expected to fail becomes a result that says so. */
export async function withAgents(
  name: string,
  { agents }: Pick<ToolContext, 'agents'>,
  run: (agents: Agents) => Promise<Omit<ToolResult, 'output' | 'success'> & { output: object }>,
): Promise<ToolResult> {
  try {
    if (agents === null)
      throw new Failure(
        'forbidden',
        'agent.none',
        'no agents can be started or reached from here; do without',
      );
    const { output, ...rest } = await run(agents);
    return { output: JSON.stringify(output), success: true, ...rest };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { output: `${name}: ${error.message}`, success: false };
  }
}

/** As `withAgents`, for a call that is shown by the agent it starts: where it starts none it is shown as a plain call. */
export async function startingAgent(
  name: string,
  asked: object,
  context: Pick<ToolContext, 'agents' | 'emit' | 'itemId' | 'turnId'>,
  run: Parameters<typeof withAgents>[2],
): Promise<ToolResult> {
  const startedAt = new Date().toISOString();
  const result = await withAgents(name, context, run);
  if (result.success) return result;
  context.emit({
    type: 'item.completed',
    item: {
      ...{ id: context.itemId, type: 'toolCall', turnId: context.turnId, status: 'failed', name },
      ...{ startedAt, completedAt: new Date().toISOString() },
      ...{ arguments: JSON.stringify(asked), error: String(result.output) },
    },
  });
  return result;
}

export function isFinal(standing: AgentStanding): boolean {
  return standing !== 'pending_init' && standing !== 'running';
}

/** As the model is told of it: a long message without its middle. */
export function toldStanding(standing: AgentStanding): AgentStanding {
  if (typeof standing === 'string') return standing;
  if ('errored' in standing) return { errored: shortened(standing.errored) };
  return { completed: standing.completed === null ? null : shortened(standing.completed) };
}

/** What the model reads after it was told of an agent that has ended, as a message of its own. */
export function notification(id: string, status: AgentStanding): MessageItem {
  return userText(agentTag({ agent_id: id, status }));
}

/** What an agent says must not look like the end of the tag. */
export function agentTag(facts: { agent_id: string; nickname?: string; status: AgentStanding }): string {
  const text = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return `<subagent_notification>\n${text}\n</subagent_notification>`;
}

function shortened(text: string): string {
  if (text.length <= MESSAGE_SHOWN) return text;
  const half = MESSAGE_SHOWN / 2;
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - MESSAGE_SHOWN} characters left out …]\n${tail}`;
}
