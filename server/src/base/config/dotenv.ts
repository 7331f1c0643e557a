/** The `.env` beside the config file: keys for providers, kept out of the process's own environment. */
import { parseEnv } from 'node:util';
import { readRegularFile } from '../regular-file.ts';

export type Env = Readonly<Record<string, string | undefined>>;

const FILE_LIMIT = 1024 * 1024;

/** `env` over what `file` sets. A missing file sets nothing; `CODEX_*` names in it are skipped. */
export async function withDotenv(env: Env, file: string): Promise<Env> {
  // most homes have none, and one that cannot be read sets nothing
  const read = await readRegularFile(file, FILE_LIMIT).catch(() => null);
  const text = Buffer.isBuffer(read) ? read.toString() : '';
  const fromFile = Object.entries(parseEnv(text)).filter(([name]) => !/^codex_/i.test(name));
  return { ...Object.fromEntries(fromFile), ...env };
}
