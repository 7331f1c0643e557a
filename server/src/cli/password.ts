/** Where the password comes from: a flag, a file, or the environment, which is cleaned of it. */
import { readFileSync } from 'node:fs';
import { Failure, messageOf } from '../base/errors.ts';

/** Takes the password out of the environment, so that no child process inherits it. */
export function takePassword(env: NodeJS.ProcessEnv): string | undefined {
  const password = env.TSCODEX_PASSWORD;
  delete env.TSCODEX_PASSWORD;
  return password || undefined;
}

/** null: none was given, the token is asked for. Throws `invalid`. */
export function choosePassword(options: {
  flag: string | undefined;
  file: string | undefined;
  fromEnvironment: string | undefined;
}): string | null {
  const { flag, file, fromEnvironment } = options;
  if (flag !== undefined) return flag;
  return file === undefined ? (fromEnvironment ?? null) : readPasswordFile(file);
}

function readPasswordFile(file: string): string {
  let password: string;
  try {
    password = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Failure('invalid', 'password.file', `--password-file: ${messageOf(cause)}`, { cause });
  }
  if (password === '') throw new Failure('invalid', 'password.empty', `--password-file: ${file} is empty`);
  return password;
}
