/** What can drive a new session, and why something cannot. */
import type { BackendChoice } from '@tscodex/shared/workspace';
import { findCodex } from '../backends/codex-process/find-codex.ts';
import { problemOf } from '../base/errors.ts';
import { isWithin } from '../base/paths.ts';
import type { ServerServices } from './session-services.ts';

/** `directories`: of the workspaces. The first is taken where nothing is said. */
export function backendChoices(
  { configs, env }: Pick<ServerServices, 'configs' | 'env'>,
  directories: readonly string[],
): BackendChoice[] {
  const { codex } = configs.current;
  const unsafe = (path: string) => directories.some((dir) => isWithin(path, dir));
  const choices: BackendChoice[] = [{ id: 'native' }, codexChoice()];
  return codex.byDefault ? choices.reverse() : choices;

  function codexChoice(): BackendChoice {
    try {
      findCodex({ configured: codex.bin, path: env.PATH ?? '', unsafe });
      return { id: 'codex' };
    } catch (error) {
      return { id: 'codex', problem: problemOf(error) };
    }
  }
}
