/** `close_agent`: ends an agent that this one has started. */
import description from '@tscodex/prompts/tools/close-agent.md';
import * as z from 'zod';
import { toldStanding, withAgents } from './agents.ts';
import { defineTool } from './tool.ts';

const parameters = z.object({ id: z.string().describe('The agent_id that spawn_agent gave.') });

export const closeAgent = defineTool({
  name: 'close_agent',
  description,
  parameters,
  shows: 'toolCall',
  run: ({ id }, context) =>
    withAgents('close_agent', context, async (agents) => ({
      output: { previous_status: toldStanding(await agents.close(id)) },
    })),
});
