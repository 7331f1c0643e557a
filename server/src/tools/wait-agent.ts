/** `wait_agent`: waits until one of some agents has ended its turn. */
import description from '@tscodex/prompts/tools/wait-agent.md';
import * as z from 'zod';
import { notification, toldStanding, withAgents } from './agents.ts';
import { clampWait } from './process-wait.ts';
import { defineTool } from './tool.ts';

/** Milliseconds. */
const WAIT = { usual: 30_000, least: 10_000, most: 3_600_000 };

const parameters = z.object({
  ids: z
    .array(z.string())
    .min(1, 'name at least one agent')
    .max(100, 'at most 100 agents at a time')
    .describe('The agent_ids to wait for.'),
  timeout_ms: z.number().optional().describe('10000 to 3600000; 30000 where nothing is said.'),
});

export const waitAgent = defineTool({
  name: 'wait_agent',
  description,
  parameters,
  shows: 'toolCall',
  run: ({ ids, timeout_ms }, context) =>
    withAgents('wait_agent', context, async (agents) => {
      const { signal, steerWaiting, onSteer } = context;
      const wait = { ms: clampWait(timeout_ms, WAIT), signal, steerWaiting, onSteer };
      const { status, timedOut } = await agents.wait([...new Set(ids)], wait);
      const told = Object.entries(status).map(([id, standing]) => [id, toldStanding(standing)] as const);
      return {
        output: { status: Object.fromEntries(told), timed_out: timedOut },
        followUp: told.flatMap(([id, standing]) =>
          typeof standing === 'string' ? [] : [notification(id, standing)],
        ),
      };
    }),
});
