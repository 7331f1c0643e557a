/** `spawn_agent`: starts another agent for a task of its own. */
import description from '@tscodex/prompts/tools/spawn-agent.md';
import * as z from 'zod';
import { message, promptOf, withAgents } from './agents.ts';
import { defineTool } from './tool.ts';

const parameters = z.object({
  ...message,
  agent_type: z.string().optional().describe('Not used: all agents have the same tools.'),
  fork_context: z.boolean().default(false).describe('Whether it begins with this conversation.'),
  model: z.string().min(1).max(200).optional().describe('Another model than yours.'),
  reasoning_effort: z.string().min(1).max(50).optional().describe('Another effort than yours.'),
});

export const spawnAgent = defineTool({
  name: 'spawn_agent',
  description,
  parameters,
  shows: 'own',
  run: ({ fork_context, model, reasoning_effort: effort, ...said }, context) =>
    withAgents('spawn_agent', context, async (agents) => {
      const prompt = promptOf(said);
      // a crash must not start it twice
      await context.begin();
      const history = fork_context ? [...context.conversation()] : null;
      const asked = { prompt, history, ...(model && { model }), ...(effort && { effort }) };
      const { id, nickname } = await agents.spawn(asked, context);
      return { output: { agent_id: id, nickname } };
    }),
});
