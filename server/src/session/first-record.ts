/** The first record of a rollout file, which says what the file is. */
import { readJsonl } from '../base/jsonl.ts';
import { type RolloutRecord, rolloutRecord } from './rollout-records.ts';

/** undefined where it cannot be read as one. Throws what the file system says. */
export async function readFirstRecord(path: string): Promise<RolloutRecord | undefined> {
  for await (const line of readJsonl(path))
    return line.damage === undefined ? rolloutRecord.safeParse(line.value).data : undefined;
  return undefined;
}
