/**
 * Begins a session's file with the conversation of another one. It is a copy: what becomes of the other file is no
 * matter to it. Both readings go through the file once, holding one record at a time.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../base/atomic-file.ts';
import { Failure, messageOf } from '../base/errors.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { conversationRecords } from './conversation-records.ts';
import { type ForkPoint, forkPoint } from './fork-point.ts';
import { ForkedRecords } from './forked-records.ts';
import { placeOf } from './history-chain.ts';
import { metaRecord, type RolloutRecord, type SessionMeta } from './rollout-records.ts';

export type Forked = Pick<ForkPoint, 'hasMessages'> & {
  /** Items whose whole output is kept beside the conversation. */
  longOutputs: ReadonlySet<string>;
};

const CHUNK = 256 * 1024;

type Fork = {
  from: string;
  to: string;
  before: string | undefined;
  meta: SessionMeta;
};

/**
 * All of `from` up to the end of its last turn that has ended, or up to the message `before`. Resolves once `to` is on
 * disk; there is none where it fails. Throws `item.unknown`, `fork.noMessage`, `rollout.unreadable`, `file.write`.
 */
export async function forkRollout(fork: Fork): Promise<Forked> {
  const place = await placeOf(fork.from);
  try {
    return await forkOf(place, fork);
  } catch (error) {
    // put away, or taken out again, while it was read
    const now = await placeOf(fork.from);
    if (now === place) throw error;
    return forkOf(now, fork);
  }
}

async function forkOf(place: string, { from, to, before, meta }: Fork): Promise<Forked> {
  const point = await forkPoint(conversationRecords(place), before);
  if (point.at === 0 && (await placeOf(from)) !== place) throw moved(place);
  const records = new ForkedRecords();
  await written(to, copied(place, point, meta, records));
  return { hasMessages: point.hasMessages, longOutputs: records.longOutputs };
}

async function* copied(
  from: string,
  { at: end, openTurn }: ForkPoint,
  meta: SessionMeta,
  records: ForkedRecords,
): AsyncGenerator<RolloutRecord> {
  yield metaRecord(meta);
  let next = 0;
  for await (const found of conversationRecords(from)) {
    if (found.at >= end) break;
    yield* records.of(found);
    next = found.at + 1;
  }
  if (next < end) throw moved(from);
  yield* records.end(openTurn);
}

function moved(path: string): Failure {
  return new Failure('unavailable', 'rollout.unreadable', `${path} was moved while it was read: try again.`);
}

/** Under another name until it is whole, so that nobody finds half a session. */
async function written(path: string, records: AsyncIterable<RolloutRecord>): Promise<void> {
  const partial = `${path}.partial`;
  try {
    makeDirectory(dirname(path), 0o700);
    const file = await open(partial, 'wx', 0o600);
    try {
      await writeLines(file, records);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', 'file.write', `cannot write ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function writeLines(file: FileHandle, records: AsyncIterable<RolloutRecord>): Promise<void> {
  let text = '';
  for await (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length < CHUNK) continue;
    await file.writeFile(text); // goes on where the last one ended
    text = '';
  }
  await file.writeFile(text);
}
