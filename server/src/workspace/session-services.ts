/** What a session is made with: what all of a server share, and its own configuration. */
import type { Config } from '../base/config/config.ts';
import type { ConfigPlace, ConfigStore } from '../base/config/config-store.ts';
import type { RuntimeServices } from '../runtime/create-runtime.ts';
import type { Catalog } from '../session/catalog/catalog.ts';

export type ServerServices = Omit<RuntimeServices, 'config' | 'models'> & {
  configs: Pick<ConfigStore, 'current' | 'of' | 'report' | 'profiles' | 'onChange'>;
  catalog: Catalog;
  /** How the models of a configuration are reached. */
  modelsOf(config: Config, again: () => Promise<Config>): RuntimeServices['models'];
};

/**
 * With the settings as they are now: a session that is in memory keeps what it was loaded with, unless that names no
 * model that can be called. Throws `config.…`.
 */
export async function sessionServices(
  place: ConfigPlace,
  { configs, modelsOf, catalog: _, ...shared }: ServerServices,
): Promise<RuntimeServices> {
  const config = await configs.of(place);
  return { ...shared, config, models: modelsOf(config, () => configs.of(place)) };
}
