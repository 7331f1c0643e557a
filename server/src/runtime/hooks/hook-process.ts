/**
 * Runs one program of the user's own `[hooks]`, outside any sandbox: it gets JSON on stdin, and has a group and a
 * time of its own.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { endSession } from '../../exec/process-group.ts';
import { ProcessReader } from '../../exec/process-list.ts';

export type HookProcess = {
  /** The program and its arguments; no shell reads them. */
  command: readonly string[];
  /** Where it runs; a relative program is looked for there. */
  cwd: string;
  env: Record<string, string>;
  input: string;
  timeoutMs: number;
};

/** `words` continue "The hook … ". Exactly one of the others says what `words` do. */
export type HookFailure = {
  words: string;
  exitCode?: number;
  signal?: string;
  /** It did not end in time. */
  seconds?: string;
  /** It printed more than these bytes. */
  limit?: number;
  /** It could not be started. */
  reason?: string;
  /** The end of what it has printed. */
  output: string;
};

/** Bytes. A program that prints more has gone wrong. */
const OUTPUT_LIMIT = 1024 * 1024;
const OUTPUT_SHOWN = 4096;

/** How long a hook's output is read once it has ended: what it has started may hold the pipe for ever. */
const DRAIN_MS = 200;

/**
 * Resolves with null when it has succeeded. In time or not, nothing of its session runs once it has failed; what a
 * hook that succeeds leaves behind is its own affair. Aborting the signal ends it. Never rejects.
 */
export function runHook(hook: HookProcess, signal: AbortSignal): Promise<HookFailure | null> {
  return new Promise((resolve) => {
    const [program = '', ...args] = hook.command;
    let tail = Buffer.alloc(0);
    let bytes = 0;
    let ending: Promise<void> | undefined;
    let failure: Omit<HookFailure, 'output'> | null = null;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(program, args, { cwd: hook.cwd, env: hook.env, detached: true, stdio: 'pipe' });
    } catch (error) {
      // an empty name, a NUL character
      resolve({ ...unstartable(error), output: '' });
      return;
    }
    const end = (why: Omit<HookFailure, 'output'>) => {
      failure ??= why;
      if (child.pid !== undefined)
        ending ??= endSession(child.pid, ['SIGTERM', 'SIGCONT'], new ProcessReader()).catch(() => undefined);
    };
    const seconds = String(hook.timeoutMs / 1000);
    const late = () => end({ words: `did not end within ${seconds} s and was ended`, seconds });
    const timer = setTimeout(late, hook.timeoutMs);
    const stopped = () => end({ words: 'was ended with the server', reason: 'the server stopped' });
    signal.addEventListener('abort', stopped);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        tail = Buffer.concat([tail, chunk]).subarray(-OUTPUT_SHOWN);
        if (bytes <= OUTPUT_LIMIT) return;
        end({ words: `printed more than ${OUTPUT_LIMIT} bytes and was ended`, limit: OUTPUT_LIMIT });
      });
    // one that does not read its input has no need of it
    child.stdin.on('error', () => undefined).end(hook.input);

    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
      for (const stream of child.stdio) stream?.destroy();
      resolve(failure && { ...failure, output: tail.toString() });
    };
    child.once('error', (error) => {
      failure ??= unstartable(error);
      settle();
    });
    child.once('exit', (exitCode, by) => {
      clearTimeout(timer);
      if (by !== null) failure ??= { words: `was ended by ${by}`, signal: by };
      else if (exitCode !== 0)
        failure ??= { words: `ended with exit code ${exitCode}`, exitCode: exitCode ?? -1 };
      const closed = new Promise((done) => child.once('close', done));
      void Promise.race([closed, delay(DRAIN_MS)])
        .then(() => ending)
        .then(settle);
    });
    if (signal.aborted) stopped();
  });
}

function unstartable(error: unknown): Omit<HookFailure, 'output'> {
  return { words: `could not be started: ${messageOf(error)}`, reason: messageOf(error) };
}
