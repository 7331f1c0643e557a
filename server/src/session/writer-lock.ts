/** The lock of the one program that writes a session. */
import { join } from 'node:path';
import { Failure } from '../base/errors.ts';
import { type FileLock, tryLock } from '../base/file-lock.ts';
import { type FileHolder, lockHolder } from '../base/lock-holder.ts';

/** What the one program that writes a session has locked: Codex, or one of ours. */
export function writerLock(codexHome: string, sessionId: string): string {
  return join(codexHome, 'thread-writer-locks', `${sessionId}.lock`);
}

/** Throws `session.locked`, which names who has it, where that can be seen. */
export function takeWriterLock(codexHome: string, sessionId: string): FileLock {
  const path = writerLock(codexHome, sessionId);
  const lock = tryLock(path);
  if (lock) return lock;
  throw lockedBy(sessionId, lockHolder(path));
}

/** Before a session of ours is closed for it: throws `session.locked` where it is not ours to write. */
export function refuseForeign(codexHome: string, id: string): void {
  const path = writerLock(codexHome, id);
  const lock = tryLock(path);
  lock?.release();
  const holder = lock ? null : lockHolder(path);
  if (holder && holder.pid !== process.pid) throw lockedBy(id, holder);
}

function lockedBy(id: string, holder: FileHolder | null): Failure {
  const { program, pid } = holder ?? {};
  const who = program === undefined ? 'another program' : `${program} (process ${pid})`;
  return new Failure(
    'conflict',
    'session.locked',
    `Session ${id} is being written by ${who}: close it there first.`,
    { details: program === undefined ? {} : { program, pid } },
  );
}
