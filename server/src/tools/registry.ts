/** The tools a session's agent has. A new tool is a file beside this one and a line here. */
import type { ModelFacts } from '../model/catalog.ts';
import { applyPatch } from './apply-patch.ts';
import { clock } from './clock.ts';
import { closeAgent } from './close-agent.ts';
import { execCommand } from './exec-command.ts';
import { requestPermissions } from './request-permissions.ts';
import { requestUserInput } from './request-user-input.ts';
import { resumeAgent } from './resume-agent.ts';
import { sendInput } from './send-input.ts';
import { spawnAgent } from './spawn-agent.ts';
import { subagentCodex } from './subagent-codex.ts';
import type { Tool, ToolContext } from './tool.ts';
import { updatePlan } from './update-plan.ts';
import { viewImage } from './view-image.ts';
import { waitAgent } from './wait-agent.ts';
import { writeStdin } from './write-stdin.ts';

/** What is known of a model that none knows. */
type Model = Pick<ModelFacts, 'toolStyle' | 'images' | 'contextWindow'>;

/** What the configuration says of tools, by their names. */
export type ToolChoice = {
  /** The only ones, in their order; null: all. */
  toolset: readonly string[] | null;
  disabledTools: readonly string[];
  /** Whether `subagent_codex` is among all. */
  codex: { oneShot: { hasTool: boolean } };
};

/** Where an agent stands among those that start one another. */
export type AgentPlace = {
  /** Whether another agent has started it. */
  isSubAgent: boolean;
  maySpawn: boolean;
};

/** What an agent has that another one has started, with those to start others where it may: it works, and reports. */
const OF_SUB_AGENTS = new Set(['exec_command', 'write_stdin', 'apply_patch', 'update_plan', 'view_image']);

/** Tokens of a window: in a smaller one these tools would take what the conversation needs. */
const WINDOW_FOR_AGENTS = 16_000;

const forAgents = [spawnAgent, sendInput, resumeAgent, waitAgent, closeAgent, subagentCodex];

/** What an agent may have, in the order the model sees them. */
function allTools({ toolStyle }: Pick<Model, 'toolStyle'>): Tool[] {
  return [
    ...[execCommand, writeStdin, clock, applyPatch[toolStyle], updatePlan],
    ...[requestUserInput, requestPermissions, viewImage],
    ...forAgents,
  ];
}

export function toolNames(): string[] {
  return allTools({ toolStyle: 'function' }).map(({ name }) => name);
}

/** In the form that the model takes, and without what is of no use to it. */
export function nativeTools(
  model: Model,
  { toolset, disabledTools, codex }: ToolChoice,
  { isSubAgent, maySpawn }: AgentPlace,
): Tool[] {
  const useful = allTools(model).filter((tool) => {
    if (disabledTools.includes(tool.name)) return false;
    if (tool === subagentCodex && !codex.oneShot.hasTool && toolset === null) return false;
    if (forAgents.includes(tool)) return maySpawn && (model.contextWindow ?? Infinity) >= WINDOW_FOR_AGENTS;
    if (tool.name === viewImage.name && model.images === false) return false;
    return !isSubAgent || OF_SUB_AGENTS.has(tool.name);
  });
  if (toolset === null) return useful;
  return toolset.flatMap((wanted) => useful.filter(({ name }) => name === wanted));
}

/** What a tool needs that an agent of another program is given beside its own. */
export type ForeignContext = Pick<ToolContext, 'setClock'>;

/** Those tools: what only this server can do. */
export function foreignTools(
  { toolset, disabledTools }: Omit<ToolChoice, 'codex'>,
  { isSubAgent }: Pick<AgentPlace, 'isSubAgent'>,
): Tool<ForeignContext>[] {
  if (isSubAgent) return [];
  return [clock].filter(({ name }) => !disabledTools.includes(name) && (toolset?.includes(name) ?? true));
}
