/** The tools a session's agent has. A new tool is a file beside this one and a line here. */
import type { ModelFacts } from '../model/catalog.ts';
import { applyPatch } from './apply-patch.ts';
import { clock } from './clock.ts';
import { execCommand } from './exec-command.ts';
import { requestPermissions } from './request-permissions.ts';
import { requestUserInput } from './request-user-input.ts';
import type { Tool } from './tool.ts';
import { updatePlan } from './update-plan.ts';
import { viewImage } from './view-image.ts';
import { writeStdin } from './write-stdin.ts';

/** What is known of a model that none knows. */
type Model = Pick<ModelFacts, 'toolStyle' | 'images'>;

/** What the configuration says of tools, by their names. */
export type ToolChoice = {
  /** The only ones, in their order; null: all. */
  toolset: readonly string[] | null;
  disabledTools: readonly string[];
};

/** What an agent may have, in the order the model sees them. */
function allTools({ toolStyle }: Pick<Model, 'toolStyle'>): Tool[] {
  return [
    ...[execCommand, writeStdin, clock, applyPatch[toolStyle], updatePlan],
    ...[requestUserInput, requestPermissions, viewImage],
  ];
}

export function toolNames(): string[] {
  return allTools({ toolStyle: 'function' }).map(({ name }) => name);
}

/** In the form that the model takes, and without what is of no use to it. */
export function nativeTools(model: Model, { toolset, disabledTools }: ToolChoice): Tool[] {
  const useful = allTools(model).filter(
    ({ name }) => !disabledTools.includes(name) && (name !== viewImage.name || model.images !== false),
  );
  if (toolset === null) return useful;
  return toolset.flatMap((wanted) => useful.filter(({ name }) => name === wanted));
}
