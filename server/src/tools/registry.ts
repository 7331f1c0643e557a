/** The tools a session's agent has. A new tool is a file beside this one and a line here. */
import { applyPatch } from './apply-patch.ts';
import { execCommand } from './exec-command.ts';
import { requestPermissions } from './request-permissions.ts';
import { requestUserInput } from './request-user-input.ts';
import type { Tool } from './tool.ts';
import { updatePlan } from './update-plan.ts';
import { viewImage } from './view-image.ts';
import { writeStdin } from './write-stdin.ts';

/** In the order the model sees them. */
export function nativeTools(): Tool[] {
  return [execCommand, writeStdin, applyPatch, updatePlan, requestUserInput, requestPermissions, viewImage];
}
