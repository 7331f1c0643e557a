/** Where the agent of a new session works: the workspace's directory, or one below it. */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import { Failure } from '../base/errors.ts';

/**
 * `asked` as a person writes it: relative to the workspace, absolute, or with `~`. Links are resolved, so that one
 * inside cannot lead out. `dir` has none left. Throws `session.cwd-missing` and `session.cwd-outside`.
 */
export async function sessionCwd(dir: string, asked: string | undefined): Promise<string> {
  if (asked === undefined) return dir;
  const path = resolve(dir, asked.trim().replace(/^~(?=$|\/)/, homedir()));
  const real = await realDirectory(path);
  if (real === null && isWithin(path, dir))
    throw failure('session.cwd-missing', `${path} is no directory; make it, or choose another one.`, {
      path,
    });
  // whether anything is there is nobody's business beyond the workspace
  if (real === null || !isWithin(real, dir))
    throw failure(
      'session.cwd-outside',
      `${path} is outside the workspace; choose ${dir} or a directory below it.`,
      { path, dir },
    );
  return real;
}

function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}

/** null for what is no directory, or cannot be reached. */
async function realDirectory(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null; // absent, a loop of links, no right to look: none of them can be worked in
  }
}

function failure(code: string, message: string, details: Record<string, string>): Failure {
  return new Failure('invalid', code, message, { details });
}
