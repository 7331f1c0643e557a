/** `resume_agent`: opens an agent again that was closed. */
import description from '@tscodex/prompts/tools/resume-agent.md';
import * as z from 'zod';
import { toldStanding, withAgents } from './agents.ts';
import { defineTool } from './tool.ts';

const parameters = z.object({ id: z.string().describe('The agent_id that spawn_agent gave.') });

export const resumeAgent = defineTool({
  name: 'resume_agent',
  description,
  parameters,
  shows: 'toolCall',
  run: ({ id }, context) =>
    withAgents('resume_agent', context, async (agents) => ({
      output: { status: toldStanding(await agents.resume(id)) },
    })),
});
