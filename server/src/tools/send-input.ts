/** `send_input`: tells an agent more that this one has started. */
import description from '@tscodex/prompts/tools/send-input.md';
import * as z from 'zod';
import { message, promptOf, withAgents } from './agents.ts';
import { defineTool } from './tool.ts';

const parameters = z.object({
  id: z.string().describe('The agent_id that spawn_agent gave.'),
  ...message,
  interrupt: z.boolean().default(false).describe('Whether it sees this before its next step.'),
});

export const sendInput = defineTool({
  name: 'send_input',
  description,
  parameters,
  shows: 'toolCall',
  run: ({ id, interrupt, ...said }, context) =>
    withAgents('send_input', context, async (agents) => {
      const prompt = promptOf(said);
      // a crash must not send it twice
      await context.begin();
      return { output: { submission_id: await agents.send(id, prompt, interrupt) } };
    }),
});
