/** The `.env` beside the config file: keys for providers, kept out of the process's own environment. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export type Env = Readonly<Record<string, string | undefined>>;

/** `env` over what `file` sets. A missing file sets nothing; `CODEX_*` names in it are skipped. */
export function withDotenv(env: Env, file: string): Env {
  const fromFile = Object.entries(parseEnv(readText(file))).filter(([name]) => !/^codex_/i.test(name));
  return { ...Object.fromEntries(fromFile), ...env };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // most homes have none, and one that cannot be read sets nothing
  }
}
