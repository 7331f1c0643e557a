/**
 * The program that writes a patch: runs for itself, where the sandbox holds it; `patch-writer` starts it with the
 * path of the planned changes and what they must hash to, and reads the one line it prints. The links that were
 * followed while planning are followed anew: one that was turned elsewhere meanwhile is a refusal.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Failure } from '../base/errors.ts';
import { patchDisk, writeChanges } from './patch-disk.ts';
import { expectUnchanged } from './patch-plan.ts';
import { decodeChanges, type PatchReply } from './patch-transfer.ts';

const [, parcel = '', sha256 = ''] = process.argv;

process.stdout.write(`${JSON.stringify(await reply())}\n`);

async function reply(): Promise<PatchReply> {
  const bytes = await readFile(parcel);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    return {
      ...{ written: false, kind: 'conflict', code: 'patch.conflict' },
      message: 'the patch was changed on its way to the disk',
    };
  const changes = decodeChanges(bytes.toString());
  try {
    await expectUnchanged(changes, patchDisk);
    await writeChanges(changes);
    return { written: true };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, code, message } = error;
    return { written: false, kind, code, message };
  }
}
