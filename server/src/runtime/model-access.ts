/** Which models a session may use, and how it reaches them. */
import type { ModelChoice } from '@tscodex/shared/workspace';
import type { ModelAccess } from '../backends/native.ts';
import type { Config } from '../base/config/config.ts';
import { modelFacts, type WindowSettings } from '../model/catalog.ts';
import { type ModelClient, ModelFailure } from '../model/client.ts';
import { DemoModel } from '../model/demo-model.ts';
import { ResponsesClient } from '../model/responses.ts';
import { withRetries } from '../model/retry.ts';

export interface SessionModels extends ModelAccess {
  /** What the configuration says now, where the model could not be called by what it said; null: it could. */
  mended(model: string): Promise<Config | null>;
}

/** The name the demo model goes by. */
const DEMO = 'demo';

/** The demo stands in only where nothing at all is configured; half a configuration is a problem to be told. */
export function defaultModel({ model }: Config): string | null {
  if (model.kind === 'configured') return model.name;
  return model.kind === 'none' ? DEMO : null;
}

export function modelChoices({ model }: Config): ModelChoice[] {
  const demo = { id: DEMO, label: 'Demo model, no AI', demo: true };
  if (model.kind === 'none') return [demo];
  const own = model.kind === 'configured' ? model.name : '';
  return [{ id: own, label: own || 'Configured model, incomplete', demo: false }, demo];
}

/** A session keeps the configuration it was loaded with, unless that names no model that can be called: `again`. */
export function modelAccess(source: {
  config: Config;
  version: string;
  /** Reads the configuration anew. */
  again: () => Promise<Config>;
}): SessionModels {
  let { config } = source;
  let client: ModelClient | null = null;
  return {
    client(model) {
      if (model === DEMO) return new DemoModel();
      client ??= configuredClient(config, source.version);
      return client;
    },
    facts: (model) =>
      model === DEMO ? modelFacts(DEMO) : modelFacts(model, config.models, windowSettings(config)),
    async mended(model) {
      if (model === DEMO || config.model.kind === 'configured') return null;
      config = await source.again();
      return config;
    },
  };
}

function windowSettings({ model }: Config): WindowSettings {
  if (model.kind !== 'configured') return {};
  const { contextWindow, autoCompactTokenLimit } = model;
  return { contextWindow, autoCompactTokenLimit };
}

function configuredClient({ model }: Config, version: string): ModelClient {
  if (model.kind === 'configured')
    return withRetries(new ResponsesClient(model.provider, version), {
      max: model.provider.maxRetries,
      requestMax: model.provider.requestMaxRetries,
    });
  const problem =
    model.kind === 'broken'
      ? `${model.problem}. Mend it, then resume this session.`
      : 'No model is configured: set one up in config.toml, then resume this session, or use the model "demo".';
  throw new ModelFailure('config', problem);
}
