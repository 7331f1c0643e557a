/** `tscodex app-server`, from its words to its exit code. */

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import { type ModelsOf, openAgentProcess } from '../agent-process.ts';
import { exitCodeOf } from '../exit-code.ts';
import { Held } from '../held.ts';
import { APP_SERVER_HELP, parseAppServer } from './app-server-flags.ts';
import { Client } from './client.ts';

/** The parts of `process` that it uses. */
export type AppServerHost = {
  env: NodeJS.ProcessEnv;
  cwd(): string;
  stdin: Readable;
  stdout: Writable;
  stderr: { write(text: string): unknown };
  /** Aborted by SIGINT or SIGTERM, and where nobody reads any more. */
  stopped: AbortSignal;
};

/**
 * Resolves once stdin has ended, or it was stopped, and all that ran has ended: 0; 1 where it could not begin, 2 for
 * wrong flags or configuration.
 */
export async function runAppServer(
  args: readonly string[],
  host: AppServerHost,
  modelsOf?: ModelsOf,
): Promise<number> {
  const held = new Held();
  const note = (text: string) => host.stderr.write(`tscodex: ${text}\n`);
  const fault = (what: string, error: unknown) => note(`could not ${what}: ${messageOf(error)}`);
  try {
    const flags = parseAppServer(args);
    if (!flags) {
      host.stdout.write(APP_SERVER_HELP);
      return 0;
    }
    const cwd = host.cwd();
    const asked = { ...flags, sandbox: undefined, approval: undefined };
    const agents = await openAgentProcess(asked, { cwd, env: host.env, fault }, held, modelsOf);
    const overrun = new AbortController();
    const surroundings = { agents, cwd, fault, overrun: () => overrun.abort() };
    const client = new Client(host.stdin, host.stdout, surroundings);
    held.add(() => client.close());
    await ended(host, overrun.signal);
    if (!overrun.signal.aborted) return 0;
    // what waits for it would hold the end up
    host.stdout.destroy();
    note('the client does not read what it is told: it was given up');
    return 1;
  } catch (error) {
    return exitCodeOf(error, note);
  } finally {
    await held.release().catch((error) => note(messageOf(error)));
  }
}

async function ended({ stdin, stopped }: AppServerHost, overrun: AbortSignal): Promise<void> {
  if (stdin.readableEnded || stopped.aborted) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([
    once(stdin, 'end', { signal }),
    once(stdin, 'close', { signal }),
    once(stopped, 'abort', { signal }),
    once(overrun, 'abort', { signal }),
  ]).finally(() => over.abort());
}
