/** Which Codex is started: the native program, never the script that npm puts before it. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../../base/errors.ts';

export type CodexPlaces = {
  /** `codex_bin` of the configuration; taken as it is. */
  configured: string | null;
  /** PATH of the server. */
  path: string;
  /** Whether agents may write there: what lies in such a place is not started. */
  unsafe(path: string): boolean;
};

/** Throws `codex.missing`. */
export function findCodex({ configured, path, unsafe }: CodexPlaces): string {
  if (configured !== null) return program(configured) ?? missing(configured);
  const onPath = path
    .split(':')
    .filter(isAbsolute)
    .map((folder) => join(folder, 'codex'));
  for (const place of onPath) {
    const found = program(place);
    if (found !== null && !unsafe(place) && !unsafe(found)) return found;
  }
  return missing(null);
}

/** The native program behind a path; null where there is none. */
function program(path: string): string | null {
  try {
    const real = realpathSync(path);
    if (/\.[cm]?js$/.test(real)) return behindScript(real);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() ? real : null;
  } catch {
    return null; // it is not there, or nobody may start it
  }
}

/** As npm lays it out: the script in `@openai/codex/bin`, the program in a package for each system. */
function behindScript(script: string): string | null {
  const triple = TRIPLES[`${platform()}-${arch()}`];
  if (!triple) return null;
  try {
    const home = createRequire(script).resolve(`@openai/codex-${platform()}-${arch()}/package.json`);
    return program(join(dirname(home), 'vendor', triple, 'bin', 'codex'));
  } catch {
    return null; // an installation that was cut off
  }
}

const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

function missing(configured: string | null): never {
  const said =
    configured === null
      ? 'There is no Codex on the PATH of this server'
      : `There is no program at ${configured}`;
  throw new Failure(
    'unavailable',
    'codex.missing',
    `${said}: install it (npm install -g @openai/codex), or name it in config.toml: codex_bin under [tscodex].`,
    configured === null ? {} : { details: { place: configured } },
  );
}
