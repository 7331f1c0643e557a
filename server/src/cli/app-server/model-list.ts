/** `model/list`: the models that the configured provider offers, the configured one first. */
import type { modelFacts } from '../../model/catalog.ts';
import { defaultModel } from '../../runtime/model-access.ts';
import type { AgentProcess } from '../agent-process.ts';

const ANSWER_MS = 15_000;

export async function listModels({
  configs,
  modelsOf,
}: AgentProcess): Promise<{ data: object[]; nextCursor: null }> {
  const config = configs.current;
  const own = defaultModel(config);
  if (own === null) return { data: [], nextCursor: null };
  const models = modelsOf(config, async () => config);
  // a provider that lists none has the configured one all the same
  const offered = await models
    .client(own)
    .listModels(AbortSignal.timeout(ANSWER_MS))
    .catch(() => []);
  const names = [...new Set([own, ...offered])];
  return { data: names.map((name) => modelOf(name, models.facts(name), name === own)), nextCursor: null };
}

function modelOf(name: string, facts: ReturnType<typeof modelFacts>, isDefault: boolean) {
  const efforts = facts.efforts ?? [];
  return {
    ...{ id: name, model: name, upgrade: null, upgradeInfo: null, availabilityNux: null, displayName: name },
    ...{ description: '', modelSpecialty: null, hidden: false },
    supportedReasoningEfforts: efforts.map((reasoningEffort) => ({ reasoningEffort, description: '' })),
    defaultReasoningEffort: facts.defaultEffort ?? efforts[0] ?? 'medium',
    inputModalities: facts.images === false ? ['text'] : ['text', 'image'],
    ...{ supportsPersonality: false, multiAgentVersion: null, additionalSpeedTiers: [], serviceTiers: [] },
    ...{ defaultServiceTier: null, availableAccessPrograms: null, isDefault },
  };
}
