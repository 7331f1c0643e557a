/**
 * What a login shell of the user adds to the environment of commands (the PATH of nvm, conda, …), read once per
 * session: a login shell for every command would cost each of them its profile.
 */
import { randomUUID } from 'node:crypto';
import { basename, isAbsolute } from 'node:path';
import type { EnvironmentPolicy } from '../base/config/config.ts';
import { Failure } from '../base/errors.ts';
import { systemProgram } from '../base/system-program.ts';
import type { Program } from './channel.ts';
import { commandEnvironment, type Variables } from './environment.ts';
import type { RunningProcess } from './running-process.ts';

/** A profile that takes longer waits for something. */
const LONGEST_MS = 10_000;
/** Shells in which `-l`, `-c` and the script below mean the same. */
const SHELLS = ['bash', 'zsh', 'sh', 'dash', 'ksh'];

/** Names of variables. */
export type EnvironmentChange = { added: string[]; changed: string[]; removed: string[] };

export type LoginEnvironmentOptions = {
  /** The server's own variables. */
  from: Variables;
  policy: EnvironmentPolicy;
  /** Starts the login shell where and as commands run: confined, as the same user. */
  start(program: Pick<Program, 'argv' | 'env'>): RunningProcess;
  /** The profile cannot be read: commands get what the server has. */
  failed(why: unknown): void;
};

export class LoginEnvironment {
  #current: Promise<Record<string, string>> | undefined;

  constructor(private readonly options: LoginEnvironmentOptions) {}

  /** The environment of a command. The first call reads the profile. Rejects with the signal's reason alone. */
  async get(signal: AbortSignal): Promise<Record<string, string>> {
    const { from, policy, failed } = this.options;
    this.#current ??= this.#read().catch((error) => {
      failed(error);
      return commandEnvironment(from, policy);
    });
    return unlessAborted(this.#current, signal);
  }

  /** Reads the profile again, for the commands that start from then on. Throws `environment.profile`. */
  async refresh(): Promise<EnvironmentChange> {
    const before = await (this.#current ?? commandEnvironment(this.options.from, this.options.policy));
    const after = await this.#read();
    this.#current = Promise.resolve(after);
    return difference(before, after);
  }

  async #read(): Promise<Record<string, string>> {
    const { from, policy } = this.options;
    if (policy.inherit === 'none') return commandEnvironment(from, policy);
    // what the policy takes away from commands the profile may need
    const plain = commandEnvironment(from, { ...policy, exclude: [], includeOnly: [], set: {} });
    const login = await this.#runShell(plain);
    if (!login) return commandEnvironment(from, policy);
    return commandEnvironment({ ...login, PATH: joinedPath(plain.PATH, login.PATH) }, policy);
  }

  /** null when it was stopped with all the session's commands. */
  async #runShell(env: Record<string, string>): Promise<Record<string, string> | null> {
    const shell = shellOf(env.SHELL);
    // profiles print, before and at their end
    const mark = randomUUID();
    const script = `exec 2>/dev/null; printf %s ${mark}; /usr/bin/env -0; printf %s ${mark}`;
    const process = this.options.start({ argv: [shell, '-lc', script], env });
    const inTime = await endsInTime(process);
    if (process.stopped) return null;
    // a profile may have started agents: what it leaves is nobody's
    await process.stop();
    const { failure } = await process.exited;
    if (failure) throw failure;
    if (!inTime) throw unreadable(`${shell} -l did not end within ${LONGEST_MS / 1000} seconds`);
    const [, printed, ...rest] = process.output().split(mark);
    if (printed === undefined || rest.length !== 1)
      throw unreadable(`${shell} -l ended before its profile did`);
    return parse(printed);
  }
}

/** The user's, where it is one that is understood. */
function shellOf(shell = ''): string {
  const known = isAbsolute(shell) && SHELLS.includes(basename(shell));
  return known ? shell : systemProgram('bash');
}

async function endsInTime(shell: RunningProcess): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, LONGEST_MS, false);
  });
  return Promise.race([shell.exited.then(() => true), late]).finally(() => clearTimeout(timer));
}

function unreadable(why: string): Failure {
  const message = `The environment of the login shell could not be read: ${why}. Mend the profile (~/.profile and the like), then send /env.`;
  return new Failure('unavailable', 'environment.profile', message);
}

/** The variables that `env -0` prints, but those that are no text. */
function parse(printed: string): Record<string, string> {
  const entries = printed.split('\0').filter((entry) => entry.includes('=') && !entry.includes('\ufffd'));
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

/**
 * The login shell's path, and before it what the server alone has: many profiles begin PATH anew, and who started
 * the server from a shell of their own has chosen its programs there. The system's own places come last.
 */
function joinedPath(server: string | undefined, login: string | undefined): string | undefined {
  if (server === undefined || login === undefined) return login ?? server;
  const known = new Set(login.split(':'));
  const missing = server.split(':').filter((place) => place && !known.has(place));
  const isSystem = (place: string) => /^(\/usr(\/local)?)?\/s?bin$/.test(place);
  return [...missing.filter((place) => !isSystem(place)), login, ...missing.filter(isSystem)].join(':');
}

function difference(before: Record<string, string>, after: Record<string, string>): EnvironmentChange {
  const names = Object.keys(after);
  return {
    added: names.filter((name) => before[name] === undefined).sort(),
    changed: names.filter((name) => before[name] !== undefined && before[name] !== after[name]).sort(),
    removed: Object.keys(before)
      .filter((name) => after[name] === undefined)
      .sort(),
  };
}

async function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
  });
  return Promise.race([value, aborted]).finally(() => done.abort());
}
