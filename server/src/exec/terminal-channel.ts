/** A program in a terminal of its own. */
import { createRequire } from 'node:module';
import type * as nodePty from '@lydell/node-pty';
import { Failure, messageOf } from '../base/errors.ts';
import type { Channel, ChannelEvents, Program } from './channel.ts';
import { signalName } from './signal-name.ts';
import { TerminalInput } from './terminal-input.ts';
import { type PtyInside, readRest } from './terminal-rest.ts';

/** What every terminal starts with. */
const SIZE = { cols: 80, rows: 24 };

/** null where terminals are not available on this machine. Throws `unavailable` when the program cannot be started. */
export function spawnInTerminal({ argv, cwd, env }: Program, events: ChannelEvents): Channel | null {
  const pty = loadPty();
  if (!pty) return null;
  const [file, ...args] = argv;
  const terminal = open(pty, file, args, { ...SIZE, name: env.TERM, cwd, env, encoding: null });
  // with `encoding: null` the chunks are buffers, whatever the type says
  terminal.onData((chunk: unknown) => events.data(chunk as Buffer));
  readRest(terminal, events.data);
  const { fd, _socket: socket } = terminal as unknown as PtyInside;
  terminal.onExit(({ exitCode, signal }) => {
    events.exit(signal ? { exitCode: null, signal: signalName(signal) } : { exitCode, signal: null });
  });
  return {
    pid: terminal.pid,
    input: new TerminalInput({ fd, isOpen: () => !socket.destroyed }),
    close: () => {
      // node-pty closes its descriptor before it reports the exit, 200 ms after it if others hold the terminal
    },
  };
}

/** Loaded when first needed: it is native code, and most commands run without. */
function loadPty(): typeof nodePty | null {
  try {
    return createRequire(import.meta.url)('@lydell/node-pty') as typeof nodePty;
  } catch {
    return null; // no build for this platform: the caller says so
  }
}

function open(pty: typeof nodePty, file: string, args: string[], options: nodePty.IPtyForkOptions) {
  try {
    return pty.spawn(file, args, options);
  } catch (error) {
    throw new Failure('unavailable', 'exec.start', `no terminal could be opened: ${messageOf(error)}`);
  }
}
