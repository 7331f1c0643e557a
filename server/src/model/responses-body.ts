/** The body of a request to the Responses API. */
import type { ModelRequest } from './client.ts';
import { liteItems } from './responses-lite.ts';
import type { WireItems } from './wire-items.ts';

/** What a schema is called in a request; providers want a name. */
const SCHEMA_NAME = 'output_schema';

/**
 * As Codex has it, but with the base instructions under their own key, where any server of the API looks for them.
 * Nothing in it is about this machine or the repository.
 */
export function requestBody(request: ModelRequest, items: WireItems): Record<string, unknown> {
  const { model, instructions, tools, lite, parallelToolCalls = true } = request;
  const input = items.of(request.input, request);
  return {
    model,
    ...(lite ? { input: [...liteItems(request), ...input] } : { instructions, input }),
    ...(!lite && tools.length > 0 && { tools }),
    ...((lite || tools.length > 0) && { tool_choice: 'auto' }),
    parallel_tool_calls: parallelToolCalls && !lite,
    ...reasoningOf(request),
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: request.cacheKey,
    ...textOf(request),
    ...(request.serviceTier !== undefined && { service_tier: request.serviceTier }),
  };
}

function reasoningOf({ effort, summary, lite }: ModelRequest) {
  if (!effort && !summary) return {};
  const context = lite ? { context: 'all_turns' } : {};
  return { reasoning: { ...(effort && { effort }), ...(summary && { summary }), ...context } };
}

function textOf({ verbosity, outputSchema: schema }: ModelRequest) {
  if (!verbosity && !schema) return {};
  const format = schema && { type: 'json_schema', name: SCHEMA_NAME, strict: true, schema };
  return { text: { ...(verbosity && { verbosity }), ...(format && { format }) } };
}
