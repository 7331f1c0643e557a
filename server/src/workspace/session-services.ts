/** What a session is made with: what all of a server share, and its own configuration. */
import { readFile } from 'node:fs/promises';
import type { Config } from '../base/config.ts';
import type { ConfigPlace, ConfigStore } from '../base/config-store.ts';
import { Failure, messageOf } from '../base/errors.ts';
import type { RuntimeServices } from '../runtime/create-runtime.ts';

export type ServerServices = Omit<RuntimeServices, 'config' | 'models' | 'baseInstructions'> & {
  configs: Pick<ConfigStore, 'current' | 'of' | 'report' | 'profiles' | 'onChange'>;
  /** How the models of a configuration are reached. */
  modelsOf(config: Config): RuntimeServices['models'];
};

/** With the settings as they are now: a session that is in memory keeps what it was loaded with. Throws `config.…`. */
export async function sessionServices(
  place: ConfigPlace,
  { configs, modelsOf, ...shared }: ServerServices,
): Promise<RuntimeServices> {
  const config = await configs.of(place);
  const baseInstructions = await readBaseInstructions(config);
  return { ...shared, config, models: modelsOf(config), baseInstructions };
}

/** The user's own; undefined: they have none. Throws `config.instructions`. */
export async function readBaseInstructions({ instructions }: Config): Promise<string | undefined> {
  const { override, base, file } = instructions;
  const written = override ?? base;
  if (written !== undefined || file === undefined) return written;
  const text = await readFile(file, 'utf8').catch((cause) => {
    const reason = messageOf(cause);
    const message = `model_instructions_file: ${file} cannot be read: ${reason}`;
    throw new Failure('invalid', 'config.instructions', message, { details: { file, reason }, cause });
  });
  return text.trim();
}
