/** For tests: what all sessions of a server share, with one configuration for all of them. */
import type { ModelClient } from '../model/client.ts';
import type { TestBox } from '../runtime/test-session.ts';
import { Catalog } from '../session/catalog/catalog.ts';
import type { ServerServices } from './session-services.ts';

export function serverServices(
  box: Pick<TestBox, 'services' | 'closing'>,
  model: ModelClient,
): ServerServices {
  const { config, models, ...shared } = box.services(model);
  const catalog = new Catalog({ ...shared, codexHome: config.codexHome, warn: () => undefined });
  box.closing.push(() => catalog.close());
  return {
    ...shared,
    catalog,
    modelsOf: () => models,
    configs: {
      ...{ current: config, of: async () => config, profiles: [] },
      report: { problems: [], notices: [] },
      onChange: () => () => undefined,
    },
  };
}
