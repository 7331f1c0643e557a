/**
 * Writes a patch the way commands run: by a small program of its own, held by the same sandbox and started as the
 * same user. This server itself writes no file of a workspace.
 */
import { createHash, randomUUID } from 'node:crypto';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../base/errors.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import script from './patch-child.ts?script';
import type { PlannedChange } from './patch-plan.ts';
import { encodeChanges, type PatchReply } from './patch-transfer.ts';
import type { ToolContext } from './tool.ts';

/** What has to be open for files to be replaced or made: their directories, or the nearest that exist. */
export function directoriesOf(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => nearestDirectory(dirname(path))));
}

/**
 * Writes all changes or none. Throws `Failure`: `patch.conflict` for a file or link that is not as it was planned,
 * `patch.write` where the disk or the sandbox refuses (all is as it was), `patch.damaged`.
 */
export async function writePatch(
  changes: readonly PlannedChange[],
  confinement: Confinement | null,
  context: Pick<ToolContext, 'processes' | 'cwd' | 'itemId' | 'environment'>,
): Promise<void> {
  const { processes, cwd, itemId } = context;
  const { PATH = '', HOME = '' } = await context.environment();
  const parcel = await leaveParcel(encodeChanges(changes), cwd);
  try {
    const running = processes.start({
      command: 'apply_patch',
      argv: [process.execPath, '--input-type=module', '-e', script, parcel.path, parcel.sha256],
      cwd,
      // whose start-up files are protected
      env: { PATH, HOME },
      tty: false,
      confinement,
      asOwnerOf: cwd,
      // of no turn: what stops a turn must not stop it half way
      turnId: '',
      itemId,
      onOutput: () => undefined,
    });
    await running.exited;
    const reply = parsed(running.output());
    if (!reply.written) throw new Failure(reply.kind, reply.code, reply.message);
  } finally {
    await rm(parcel.path, { force: true });
  }
}

/**
 * Commands have nothing to read from, so the changes lie in a file for it. Others may reach that file as well: it
 * is told what it must hold.
 */
async function leaveParcel(text: string, cwd: string): Promise<{ path: string; sha256: string }> {
  const path = join(tmpdir(), `tscodex-patch-${randomUUID()}`);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(cwd);
    await chown(path, uid, gid);
  }
  return { path, sha256: createHash('sha256').update(text).digest('hex') };
}

/** It prints its reply in one line, the last. */
function parsed(output: string): PatchReply {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as PatchReply;
  } catch {
    const why = output.trim() || 'the program that writes it has ended without a word';
    return { written: false, kind: 'unavailable', code: 'patch.write', message: `cannot be written: ${why}` };
  }
}

async function nearestDirectory(path: string): Promise<string> {
  const isDirectory = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  return isDirectory || dirname(path) === path ? path : nearestDirectory(dirname(path));
}
