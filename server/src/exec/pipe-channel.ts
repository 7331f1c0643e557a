/** A program without a terminal: output and errors in one pipe, nothing to read. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, messageOf } from '../base/errors.ts';
import type { Channel, ChannelEvents, Program } from './channel.ts';

/** How long after the program's end its pipe may stay open before it is taken for another's. */
const DRAIN_MS = 100;
const READ_BYTES = 64 * 1024;

/**
 * Standard input is empty, as Codex has it: with an open pipe there, `rg word` and others wait for input for ever.
 * Throws `unavailable` when the program cannot be started.
 */
export function spawnPiped({ argv, cwd, env }: Program, events: ChannelEvents): Channel {
  const [file, ...args] = argv;
  const pipe = openPipe();
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', pipe.writer, pipe.writer] });
  } catch (error) {
    closeSync(pipe.reader);
    throw cannotStart(file, messageOf(error));
  } finally {
    closeSync(pipe.writer);
  }
  // what it says is said below, where the number is missing
  child.on('error', () => undefined);
  if (child.pid === undefined) {
    closeSync(pipe.reader);
    throw cannotStart(file, 'it is missing or not executable, or no more processes can be started');
  }

  const reader = readAll(pipe.reader, events.data);
  child.once('exit', (exitCode, signal) => {
    const done = () => {
      clearTimeout(timer);
      reader.off('close', done);
      events.exit({ exitCode, signal });
    };
    // the timer may be late and run before reads that are due; after an immediate they have run
    const timer = setTimeout(() => setImmediate(done), DRAIN_MS);
    if (reader.closed) done();
    else reader.once('close', done);
  });
  return { pid: child.pid, write: null, close: () => void reader.destroy() };
}

function readAll(fd: number, data: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const callback = (length: number) => {
    data(buffer.subarray(0, length));
    return true;
  };
  // `onread` reads into the one buffer; the types know it for `connect` only
  const options: SocketConstructorOpts & ConnectOpts = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer, callback },
  };
  const reader = new Socket(options);
  // a read error ends the output, as the end of the file does: `close` follows
  return reader.on('error', () => undefined);
}

/**
 * A real pipe. Node gives its children socket pairs instead, on which `> /dev/stderr` fails, and one for output
 * and errors each, which loses their order.
 */
function openPipe(): { reader: number; writer: number } {
  const dir = mkdtempSync(join(tmpdir(), 'tscodex-pipe-'));
  try {
    const path = join(dir, 'output');
    const made = spawnSync('mkfifo', ['-m', '600', path]);
    if (made.status !== 0) throw cannotStart('mkfifo', made.error?.message ?? made.stderr.toString().trim());
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { reader, writer: openSync(path, constants.O_WRONLY) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function cannotStart(file: string, why: string): Failure {
  return new Failure('unavailable', 'exec.start', `${file} could not be started: ${why}`);
}
