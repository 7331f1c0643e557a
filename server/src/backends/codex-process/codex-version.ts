/** Which version a Codex program is, asked of itself once, and whether that works here. */
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../base/errors.ts';
import { CodexChild } from './codex-child.ts';

/** The one that was tried with all that is done here. */
export const TESTED = '0.171';

/** The oldest that works, by how it is run. */
export const OLDEST = { 'app-server': '0.171', exec: '0.137' } as const;
export type CodexUse = keyof typeof OLDEST;

const ANSWER_MS = 5000;
/** Characters of its answer. */
const ANSWER_LIMIT = 65_536;

export class CodexVersions {
  /** By the file and when it was last written. */
  readonly #known = new Map<string, Promise<string | null>>();
  readonly #said = new Map<string, string | null>();
  readonly #closing = new AbortController();

  /** null where it does not say, in time or at all. Never rejects. */
  of(program: string): Promise<string | null> {
    const key = keyOf(program);
    const known = this.#known.get(key);
    if (known) return known;
    const { signal } = this.#closing;
    if (signal.aborted) return Promise.resolve(null);
    const asked = ask(program, signal);
    this.#known.set(key, asked);
    void asked.then((version) => this.#said.set(key, version));
    return asked;
  }

  /** Without waiting: undefined while it is not known, and being asked from now on. */
  known(program: string): string | null | undefined {
    void this.of(program);
    return this.#said.get(keyOf(program));
  }

  /** Asks no more, and resolves once nothing runs of what is being asked. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#known.values());
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

/** `codex-cli 0.171.0`; null once the signal is aborted. Resolves when nothing of it runs any more. */
async function ask(program: string, signal: AbortSignal): Promise<string | null> {
  try {
    // it needs nothing of ours to say so
    const place = { program: () => program, cwd: '/', env: { PATH: '/usr/bin:/bin' } };
    const child = await CodexChild.start(place, ['--version']);
    let said = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      said = (said + text).slice(0, ANSWER_LIMIT);
    });
    child.stdin.end();
    const over = new AbortController();
    const late = delay(ANSWER_MS, null, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => null);
    const exit = await Promise.race([child.ended, late]);
    over.abort();
    // a script that hangs has started what hangs
    await child.end(undefined, 0);
    const isDone = exit !== null && 'exitCode' in exit.details && exit.details.exitCode === 0;
    return isDone ? (/\b(\d+\.\d+\.\d+[\w.-]*)/.exec(said)?.[1] ?? null) : null;
  } catch {
    return null; // it cannot be started: what it is used for will tell
  }
}
