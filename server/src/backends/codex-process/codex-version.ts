/** Which version a Codex program is, asked of itself once, and whether that works here. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { Failure } from '../../base/errors.ts';

/** The one that was tried with all that is done here. */
export const TESTED = '0.171';

/** The oldest that works, by how it is run. */
export const OLDEST = { 'app-server': '0.171', exec: '0.137' } as const;
export type CodexUse = keyof typeof OLDEST;

const ANSWER_MS = 5000;

export class CodexVersions {
  /** By the file and when it was last written. */
  readonly #known = new Map<string, Promise<string | null>>();
  readonly #said = new Map<string, string | null>();

  /** null where it does not say, in time or at all. Never rejects. */
  of(program: string): Promise<string | null> {
    const key = keyOf(program);
    const known = this.#known.get(key);
    if (known) return known;
    const asked = ask(program);
    this.#known.set(key, asked);
    void asked.then((version) => this.#said.set(key, version));
    return asked;
  }

  /** Without waiting: undefined while it is not known, and being asked from now on. */
  known(program: string): string | null | undefined {
    void this.of(program);
    return this.#said.get(keyOf(program));
  }
}

/** Why a version cannot be used so; null where it can, and where nobody knows which it is. */
export function tooOld(version: string | null | undefined, use: CodexUse): Failure | null {
  if (!version || compare(version, OLDEST[use]) >= 0) return null;
  const oldest = OLDEST[use];
  return new Failure(
    'unavailable',
    'codex.version',
    `Codex ${version} is too old: ${oldest} is the oldest that works here. Update it: npm install -g @openai/codex`,
    { details: { version, oldest } },
  );
}

/** What is to be known of a version that works, or may; null: it is the one that was tried. */
export function untested(version: string): Failure | null {
  if (compare(version, TESTED) === 0) return null;
  return new Failure(
    'unavailable',
    'codex.untested',
    `This server was tried with Codex ${TESTED}; ${version} may differ in places.`,
    { details: { version, tested: TESTED } },
  );
}

/** By major and minor alone. */
export function compare(a: string, b: string): number {
  const [[aMajor = 0, aMinor = 0], [bMajor = 0, bMinor = 0]] = [a, b].map((version) =>
    version.split('.').map((part) => Number.parseInt(part, 10) || 0),
  ) as [number[], number[]];
  return Math.sign(aMajor - bMajor || aMinor - bMinor);
}

function keyOf(program: string): string {
  try {
    const { mtimeMs, size } = statSync(program);
    return `${program} ${mtimeMs} ${size}`;
  } catch {
    return program; // it has gone since it was found: starting it says so
  }
}

/** `codex-cli 0.171.0` */
async function ask(program: string): Promise<string | null> {
  try {
    const limits = { timeout: ANSWER_MS, killSignal: 'SIGKILL' as const, maxBuffer: 64 * 1024 };
    // it needs nothing of ours to say so
    const env = { PATH: '/usr/bin:/bin' };
    const asked = promisify(execFile)(program, ['--version'], { ...limits, env });
    asked.child.stdin?.end();
    return /\b(\d+\.\d+\.\d+[\w.-]*)/.exec((await asked).stdout)?.[1] ?? null;
  } catch {
    return null; // it hangs, or says nothing of the kind: what it is used for will tell
  }
}
