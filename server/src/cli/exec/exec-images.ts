/** The images of the command line, kept as attachments of the run. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Failure, messageOf } from '../../base/errors.ts';
import type { Attachments } from '../../runtime/attachments/attachments.ts';

/** Their ids. Throws `exec.image` for a file that cannot be read, and what `Attachments` throws. */
export async function keepImages(paths: readonly string[], attachments: Attachments): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths) ids.push((await attachments.receive(bytesOf(path), basename(path))).id);
  return ids;
}

async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new Failure('unavailable', 'exec.image', `--image ${path}: ${messageOf(error)}`);
  }
}
