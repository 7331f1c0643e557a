/** What can drive a new session, why something cannot, and which Codex it is. */
import type { Backend, BackendChoice } from '@tscodex/shared/workspace';
import { type CodexUse, tooOld, untested } from '../backends/codex-process/codex-version.ts';
import { findCodex } from '../backends/codex-process/find-codex.ts';
import { problemOf } from '../base/errors.ts';
import { isWithin } from '../base/paths.ts';
import type { ServerServices } from './session-services.ts';

const USES: readonly [Backend, CodexUse][] = [
  ['codex', 'app-server'],
  ['codex-exec', 'exec'],
];

/** `directories`: of the workspaces. What is usual is the first: `usual` of a workspace, else as it is configured. */
export function backendChoices(
  { configs, env, codexVersions }: Pick<ServerServices, 'configs' | 'env' | 'codexVersions'>,
  directories: readonly string[],
  usual: Backend | undefined,
): BackendChoice[] {
  const { backend } = configs.current;
  const choices: BackendChoice[] = [{ id: 'native' }, ...USES.map(([id, use]) => ({ id, ...about(use) }))];
  const first = usual ?? backend;
  return choices.sort((a, b) => Number(b.id === first) - Number(a.id === first));

  function about(use: CodexUse): Omit<BackendChoice, 'id'> {
    try {
      const version = codexVersions.known(codexOf({ configs, env }, directories));
      if (!version) return {};
      const [old, notice] = [tooOld(version, use), untested(version)];
      if (old) return { version, problem: problemOf(old) };
      return { version, ...(notice && { notice: problemOf(notice) }) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }
}

/** The program that sessions on Codex have. Throws `codex.missing`. */
export function codexOf(
  { configs, env }: Pick<ServerServices, 'configs' | 'env'>,
  directories: readonly string[],
): string {
  const unsafe = (path: string) => directories.some((dir) => isWithin(path, dir));
  return findCodex({ configured: configs.current.codex.bin, path: env.PATH ?? '', unsafe });
}
