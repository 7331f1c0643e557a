/** Which Codex sessions can run on, told when the server starts. */
import { isCodex } from '@tscodex/shared/lacks';
import type { Backend } from '@tscodex/shared/workspace';
import { type CodexVersions, tooOld, untested } from '../backends/codex-process/codex-version.ts';
import { Failure } from '../base/errors.ts';

export type CodexLine = { level: 'info' | 'warn'; text: string };

/**
 * `find` throws `codex.missing`; `usual`: what drives new sessions that do not say, in one workspace or another. null
 * where there is no Codex and nobody has asked for one. Never rejects.
 */
export async function codexLine(
  find: () => string,
  versions: Pick<CodexVersions, 'of'>,
  usual: readonly Backend[],
): Promise<CodexLine | null> {
  try {
    const program = find();
    const version = await versions.of(program);
    const isExecAlone = usual.includes('codex-exec') && !usual.includes('codex');
    const problem = tooOld(version, isExecAlone ? 'exec' : 'app-server');
    if (problem) return { level: 'warn', text: `${program}: ${problem.message}` };
    if (version === null) return { level: 'warn', text: `${program} does not say which Codex it is` };
    const notice = untested(version);
    const text = `Codex ${version} for sessions on it: ${program}`;
    return notice ? { level: 'warn', text: `${text}. ${notice.message}` } : { level: 'info', text };
  } catch (error) {
    if (!(error instanceof Failure)) return { level: 'warn', text: String(error) };
    // one that is named is wanted, whatever sessions run on by themselves
    const isWanted = error.details?.place !== undefined || usual.some(isCodex);
    return isWanted ? { level: 'warn', text: error.message } : null;
  }
}
