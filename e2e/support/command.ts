/** Runs the built server's command to its end, as a shell would. */
import { spawn } from 'node:child_process';
import { type Box, serverBin } from './server.ts';

export type Ended = { code: number | null; stdout: string; stderr: string };

/** The flags are all there are; the environment is a fresh user's, in the box. */
export async function runCommand(box: Box, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [serverBin, ...args], {
    cwd: box.dir,
    env: { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
