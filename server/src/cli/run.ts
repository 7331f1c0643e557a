/** One run of `tscodex-ws`, from its words to its exit code. */
import type { EventEmitter } from 'node:events';
import { Failure, messageOf } from '../base/errors.ts';
import { programVersion } from './find-up.ts';
import { type Flags, HELP, parseFlags } from './flags.ts';
import { createLogger, logStream } from './logging.ts';
import { choosePassword, takePassword } from './password.ts';
import { type RunningServer, serve } from './serve.ts';
import { Signals } from './signals.ts';

/** How long an orderly end may take. */
const STOP_DEADLINE_MS = 10_000;

/** The parts of `process` that a run uses. */
export type Host = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  cwd(): string;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown; isTTY?: boolean; fd: number };
  signals: EventEmitter;
};

/** Resolves with the exit code: 0, 1 (could not start), 2 (wrong flags or configuration), 130 (SIGINT). */
export async function run(args: readonly string[], host: Host): Promise<number> {
  try {
    const fromEnvironment = takePassword(host.env);
    const command = parseFlags(args);
    if (command.run === 'help') host.stdout.write(HELP);
    else if (command.run === 'version') host.stdout.write(`${programVersion()}\n`);
    else return await runServer(command.flags, fromEnvironment, host);
    return 0;
  } catch (error) {
    const expected = error instanceof Failure;
    host.stderr.write(`tscodex-ws: ${expected ? error.message : ((error as Error)?.stack ?? error)}\n`);
    return expected && (error.kind === 'invalid' || error.code === 'state.locked') ? 2 : 1;
  }
}

async function runServer(flags: Flags, fromEnvironment: string | undefined, host: Host): Promise<number> {
  expectPlatform(host.platform);
  const log = createLogger(flags.logLevel, await logStream(host.stderr));
  const signals = new Signals(host.signals);
  try {
    const { password: flag, passwordFile: file, auth } = flags;
    const password = auth ? choosePassword({ flag, file, fromEnvironment }) : null;
    const server = await serve(flags, { cwd: host.cwd(), env: host.env, password, log });
    host.stdout.write(`${server.lines.join('\n')}\n`);
    const signal = await signals.first;
    log.info({ signal }, 'stopping');
    await stop(server, signals.second).catch((error) => log.error({ err: error }, messageOf(error)));
    return signal === 'SIGINT' ? 130 : 0;
  } finally {
    signals.stop();
  }
}

function expectPlatform(platform: NodeJS.Platform): void {
  if (platform !== 'win32') return;
  throw new Failure(
    'invalid',
    'program.platform',
    'Windows cannot run and confine commands as this server needs it: start it inside WSL2 (wsl --install, then run tscodex-ws there)',
  );
}

/** An orderly end, unless it takes too long or a second signal says at once. */
async function stop(server: RunningServer, hurry: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_DEADLINE_MS);
  });
  await Promise.race([server.stop(), hurry, deadline]).finally(() => clearTimeout(timer));
}
