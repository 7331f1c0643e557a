/** The directory that holds everything of this server but the conversations. */
import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure, messageOf } from './errors.ts';
import { makeDirectory } from './make-directory.ts';

/**
 * Finds the directory (the flag, else TSCODEX_STATE_DIR, else `tscodex` in CODEX_HOME) and makes it, for its owner
 * alone. Throws `state.dir` when it cannot be written; there is no other place it falls back to.
 */
export function openStateDir(options: {
  flag?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  codexHome: string;
}): string {
  const named = options.flag || options.env.TSCODEX_STATE_DIR;
  const dir = named ? resolve(named) : join(options.codexHome, 'tscodex');
  try {
    if (makeDirectory(dir, 0o700)) chmodSync(dir, 0o700);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (error) {
    throw new Failure(
      'invalid',
      'state.dir',
      `cannot use the state directory ${dir}: ${messageOf(error)}: name a writable one with --state-dir`,
      { cause: error },
    );
  }
}

/**
 * The secret that the login URL carries. Made once, stable over restarts, readable by its owner alone. Throws
 * `state.token`.
 */
export function loginToken(stateDir: string): string {
  const path = join(stateDir, 'token');
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritten(path, error);
  }
  const token = readFileSync(path, 'utf8').trim();
  if (token.length >= 32) return token;
  throw new Failure('invalid', 'state.token', `${path} holds no token: remove the file, a new one is made`);
}

/** On a full disk the file is there, and empty. */
function unwritten(path: string, error: unknown): Failure {
  rmSync(path, { force: true });
  const what = `cannot write ${path}: ${messageOf(error)}`;
  return new Failure('unavailable', 'state.token', `${what}: make room, or choose another --state-dir`, {
    cause: error,
  });
}
