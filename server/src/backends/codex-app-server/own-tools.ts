/**
 * Tools of this server that Codex's agent has beside its own. Codex knows them from the first record of the session's
 * file, and has them carried out here.
 */
import * as z from 'zod';
import type { DynamicTool } from '../../session/rollout-records.ts';
import type { ForeignContext } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';

const toolCall = z.object({ tool: z.string(), arguments: z.unknown().optional() });

/** As Codex is told of them. */
export function dynamicTools(tools: readonly Tool<ForeignContext>[]): DynamicTool[] {
  return tools.flatMap(({ spec }) =>
    spec.type === 'function'
      ? [{ type: 'function', name: spec.name, description: spec.description, inputSchema: spec.parameters }]
      : [],
  );
}

/** What Codex hears of `item/tool/call`; null for what is no call. */
export async function answerToolCall(
  params: unknown,
  tools: readonly Tool<ForeignContext>[],
  context: ForeignContext,
): Promise<object | null> {
  const call = toolCall.safeParse(params).data;
  if (!call) return null;
  const tool = tools.find(({ name }) => name === call.tool);
  const { output, success } = tool
    ? await tool.call(JSON.stringify(call.arguments ?? {}), context)
    : { output: `${call.tool}: there is no such tool here`, success: false };
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { contentItems: [{ type: 'inputText', text }], success };
}
