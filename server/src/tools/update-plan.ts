/** `update_plan`: shows the people how far the work has come. */
import description from '@tscodex/prompts/tools/update-plan.md';
import type { PlanStep } from '@tscodex/shared/items';
import * as z from 'zod';
import { defineTool } from './tool.ts';

const STATUSES = {
  pending: 'pending',
  in_progress: 'inProgress',
  completed: 'completed',
} as const satisfies Record<string, PlanStep['status']>;

const parameters = z.strictObject({
  explanation: z.string().optional().describe('Why the plan has changed.'),
  plan: z
    .array(
      z.strictObject({
        step: z.string().describe('The step in a few words.'),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    )
    .describe('All steps, in order.'),
});

/** Each call is one `plan` item; the newest one is the plan. */
export const updatePlan = defineTool({
  name: 'update_plan',
  description,
  parameters,
  shows: 'own',
  async run({ explanation, plan }, context) {
    const running = plan.filter(({ status }) => status === 'in_progress').length;
    if (running > 1) {
      const output = `update_plan: ${running} steps are in_progress, at most one may be; the plan is unchanged`;
      return { output, success: false };
    }
    const at = new Date().toISOString();
    context.emit({
      type: 'item.completed',
      item: {
        id: context.itemId,
        type: 'plan',
        turnId: context.turnId,
        status: 'completed',
        startedAt: at,
        completedAt: at,
        ...(explanation === undefined ? {} : { explanation }),
        steps: plan.map(({ step, status }) => ({ step, status: STATUSES[status] })),
      },
    });
    return { output: 'Plan updated', success: true };
  },
});
