/** Runs the built `tscodex` in the box's work directory, as a shell or another program would. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Ended } from './command.ts';
import { type Box, serverBin } from './server.ts';

const program = join(dirname(serverBin), 'tscodex.js');

/** Its stdin is a pipe that whoever started it has to close. */
export function startExec(box: Box, args: string[]): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [program, 'exec', ...args], {
    cwd: box.workDir,
    env: { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Resolves when it has ended. */
export async function endOf(child: ReturnType<typeof startExec>): Promise<Ended> {
  const ended = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ended.stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...ended };
}

export function runExec(box: Box, args: string[], stdin = ''): Promise<Ended> {
  const child = startExec(box, args);
  child.stdin.end(stdin);
  return endOf(child);
}
