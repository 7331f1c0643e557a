/** What a request asks of a model beside its input: what is set for the session, where the model takes it. */
import type { ModelFacts } from './catalog.ts';
import type { ModelRequest } from './client.ts';

/** What people and the configuration have set; as they wrote it. */
export type ModelSettings = {
  model: string;
  effort?: string;
  summary?: string;
  verbosity?: string;
  /** `fast` is `priority`. */
  serviceTier?: string;
  /** A JSON schema that answers have to fit. */
  outputSchema?: Record<string, unknown> | undefined;
};

type Parameters = Pick<
  ModelRequest,
  | 'model'
  | 'effort'
  | 'summary'
  | 'verbosity'
  | 'serviceTier'
  | 'parallelToolCalls'
  | 'lite'
  | 'toolStyle'
  | 'outputSchema'
>;

/**
 * What is set goes out unless the model is known not to take it: a request with a setting too many is refused whole.
 * Where nothing is set, the model's own default does, as in Codex. A service tier costs money, so it goes out only
 * where the model is known to have it.
 */
export function requestParameters(settings: ModelSettings, facts: ModelFacts): Parameters {
  const { model, outputSchema } = settings;
  const { parallelToolCalls, lite, toolStyle } = facts;
  return {
    ...{ model, ...reasoning(settings, facts) },
    verbosity: facts.takesVerbosity === false ? undefined : (settings.verbosity ?? facts.defaultVerbosity),
    serviceTier: serviceTier(settings, facts),
    ...{ parallelToolCalls, lite, toolStyle },
    ...(outputSchema ? { outputSchema } : {}),
  };
}

function reasoning(settings: ModelSettings, facts: ModelFacts): { effort?: string; summary?: string } {
  if (facts.efforts?.length === 0) return {};
  const effort = settings.effort ?? (facts.reasoningSummaries ? facts.defaultEffort : undefined);
  const summary = settings.summary ?? facts.defaultSummary;
  return { effort, summary: summary === 'none' ? undefined : summary };
}

function serviceTier(
  { serviceTier: asked }: ModelSettings,
  { serviceTiers }: ModelFacts,
): string | undefined {
  const tier = asked === 'fast' ? 'priority' : asked;
  return tier !== undefined && serviceTiers.includes(tier) ? tier : undefined;
}
