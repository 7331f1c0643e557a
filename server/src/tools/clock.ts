/** `clock`: has the agent woken again and again while it is idle. */
import description from '@tscodex/prompts/tools/clock.md';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** Minutes: six seconds, so that nothing is asked without a pause, to a week. */
const PERIOD = { least: 0.1, most: 7 * 24 * 60 };

const parameters = z.strictObject({
  period_m: z
    .number(
      `period_m must be a number of minutes from ${PERIOD.least} to ${PERIOD.most}, or null to end the clock`,
    )
    .min(PERIOD.least, `the shortest period is ${PERIOD.least} minutes; the clock is unchanged`)
    .max(PERIOD.most, `the longest period is ${PERIOD.most} minutes, a week; the clock is unchanged`)
    .nullable()
    .describe(`Minutes between two wakes, ${PERIOD.least} to ${PERIOD.most}; null ends the clock.`),
});

export const clock = defineTool({
  name: 'clock',
  description,
  parameters,
  shows: 'toolCall',
  async run({ period_m }, context: Pick<ToolContext, 'setClock'>) {
    try {
      await context.setClock(period_m);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { output: `clock: ${error.message}`, success: false };
    }
    return { output: JSON.stringify({ enabled: period_m !== null, period_m }), success: true };
  },
});
