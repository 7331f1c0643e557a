/** `subagent_codex`: has the user's own Codex do a task, and waits for its answer. */
import description from '@tscodex/prompts/tools/subagent-codex.md';
import * as z from 'zod';
import { LONGEST_TIMER_MS } from '../base/config/config-schema.ts';
import { isFinal, message, promptOf, startingAgent, toldStanding } from './agents.ts';
import { defineTool } from './tool.ts';

const parameters = z.object({
  ...message,
  model: z.string().min(1).max(200).optional().describe('Another model than Codex has configured.'),
  reasoning_effort: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe('Another effort than Codex has configured.'),
});

export const subagentCodex = defineTool({
  name: 'subagent_codex',
  description,
  parameters,
  shows: 'own',
  run: (given, context) =>
    startingAgent('subagent_codex', given, context, async (agents) => {
      const { model, reasoning_effort: effort, ...said } = given;
      const prompt = promptOf(said);
      // a crash must not start it twice
      await context.begin();
      const asked = {
        prompt,
        codex: true,
        history: null,
        ...(model && { model }),
        ...(effort && { effort }),
      };
      const { id, nickname } = await agents.spawn(asked, context);
      const { signal, steerWaiting, onSteer } = context;
      // it has a time limit of its own
      const wait = { ms: LONGEST_TIMER_MS, signal, steerWaiting, onSteer };
      const standing = (await agents.wait([id], wait)).status[id] ?? 'running';
      // it takes nothing more: one that has ended need not count among those that are open
      if (isFinal(standing)) await agents.close(id);
      return { output: { agent_id: id, nickname, status: toldStanding(standing) } };
    }),
});
