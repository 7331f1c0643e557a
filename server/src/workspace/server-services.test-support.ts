/** For tests: what all sessions of a server share, with one configuration for all of them. */
import type { ModelClient } from '../model/client.ts';
import type { TestBox } from '../runtime/test-session.ts';
import type { ServerServices } from './session-services.ts';

export function serverServices(box: Pick<TestBox, 'services'>, model: ModelClient): ServerServices {
  const { config, models, ...shared } = box.services(model);
  return {
    ...shared,
    modelsOf: () => models,
    configs: {
      ...{ current: config, of: async () => config, profiles: [] },
      report: { problems: [], notices: [] },
      onChange: () => () => undefined,
    },
  };
}
