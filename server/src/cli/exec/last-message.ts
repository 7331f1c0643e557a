/** The file that a run leaves its last message in. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure, messageOf } from '../../base/errors.ts';

/** Before the turn, whose work would be for nothing; touches no file. Throws `exec.output`. */
export function expectWritable(path: string): void {
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isDirectory()) throw new Error('it is a directory; name a file in it');
    if (file) accessSync(path, constants.W_OK);
    else accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Throws `exec.output`. */
export function writeLastMessage(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): Failure {
  return new Failure('unavailable', 'exec.output', `--output-last-message ${path}: ${messageOf(error)}`);
}
