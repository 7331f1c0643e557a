/** `spawn_agent`: starts another agent for a task of its own. */
import description from '@tscodex/prompts/tools/spawn-agent.md';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { message, promptOf, startingAgent } from './agents.ts';
import { defineTool } from './tool.ts';

const parameters = z.object({
  ...message,
  agent_type: z
    .string()
    .optional()
    .describe(
      'Leave it out, or "codex": the Codex of the user does the task and answers once. It takes no send_input and no fork_context.',
    ),
  fork_context: z.boolean().default(false).describe('Whether it begins with this conversation.'),
  model: z.string().min(1).max(200).optional().describe('Another model than yours.'),
  reasoning_effort: z.string().min(1).max(50).optional().describe('Another effort than yours.'),
});

export const spawnAgent = defineTool({
  name: 'spawn_agent',
  description,
  parameters,
  shows: 'own',
  run: (given, context) =>
    startingAgent('spawn_agent', given, context, async (agents) => {
      const { agent_type, fork_context, model, reasoning_effort: effort, ...said } = given;
      const prompt = promptOf(said);
      const codex = agent_type?.trim().toLowerCase() === 'codex';
      if (codex && fork_context) throw knowsNothing();
      // a crash must not start it twice
      await context.begin();
      const history = fork_context ? [...context.conversation()] : null;
      const asked = { prompt, codex, history, ...(model && { model }), ...(effort && { effort }) };
      const { id, nickname } = await agents.spawn(asked, context);
      return { output: { agent_id: id, nickname } };
    }),
});

function knowsNothing(): Failure {
  const why =
    'an agent of type "codex" knows nothing of this conversation: leave fork_context out, and say in message all that it needs';
  return new Failure('invalid', 'agent.message', why);
}
