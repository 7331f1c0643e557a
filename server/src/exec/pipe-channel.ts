/** A program without a terminal: output and errors in one pipe, nothing to read. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { Failure, messageOf } from '../base/errors.ts';
import type { Channel, ChannelEvents, Program } from './channel.ts';
import type { Pipe, PipeStore } from './pipe-store.ts';

/** How long after the program's end its pipe may stay open before it is taken for another's. */
const DRAIN_MS = 100;

/**
 * Standard input is empty, as in Codex: on an open pipe `rg word` and others would wait for input for ever.
 * Throws `unavailable` when the program cannot be started.
 */
export function spawnPiped(program: Program, events: ChannelEvents, pipes: PipeStore): Channel {
  const { child, pid, output } = launch(program, pipes);
  const reader = readAll(output, events.data, pipes.buffer);
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
  return { pid, input: null, close: () => void reader.destroy() };
}

/** `output` is the descriptor to read from. */
function launch(
  { argv, cwd, env, descriptors = [] }: Program,
  pipes: PipeStore,
): { child: ChildProcess; pid: number; output: number } {
  const [file, ...args] = argv;
  let pipe: Pipe | undefined;
  try {
    pipe = pipes.take();
    const stdio = ['ignore' as const, pipe.writer, pipe.writer, ...descriptors];
    const child = spawn(file, args, { cwd, env, detached: true, stdio });
    // some errors are thrown, others come as an event later: then there is no process number
    child.on('error', () => undefined);
    if (child.pid === undefined)
      throw new Error('it is missing or not executable, or there is no room for another process');
    return { child, pid: child.pid, output: pipe.reader };
  } catch (error) {
    if (pipe) closeSync(pipe.reader);
    throw new Failure('unavailable', 'exec.start', `${file} could not be started: ${messageOf(error)}`);
  } finally {
    if (pipe) closeSync(pipe.writer);
  }
}

function readAll(fd: number, data: (chunk: Buffer) => void, buffer: Buffer): Socket {
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
  // a read error ends the output, as the end of the file does: `close` follows
  return new Socket(options).on('error', () => undefined);
}
