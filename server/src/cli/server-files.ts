/** Which files of this server lie where whoever started it has put them: commands could get to them there. */
import { dirname, join, resolve } from 'node:path';
import type { ServerFiles } from '../runtime/session-permissions.ts';
import type { Flags } from './flags.ts';

/** `list`: the list of workspaces that is served. `profiles`: the files of the profiles beside the configuration. */
export function serverFiles(
  { config, passwordFile }: Pick<Flags, 'config' | 'passwordFile'>,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
  list: string,
  profiles: readonly string[],
): ServerFiles {
  const secret = [
    ...(passwordFile === undefined ? [] : [passwordFile]),
    // keys of providers may be in either
    ...(config === undefined ? [] : [config, join(dirname(config), '.env')]),
    ...profiles,
    ...(env.CREDENTIALS_DIRECTORY ? [env.CREDENTIALS_DIRECTORY] : []),
  ];
  return { secret: secret.map((path) => resolve(cwd, path)), kept: [list] };
}
