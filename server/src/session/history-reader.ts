/** What the model is to see of a conversation, read from where it begins: after the last compaction of most files. */
import { type LineStart, readJsonl } from '../base/jsonl.ts';
import { type ResponseItem, userText } from '../base/response-items.ts';
import { isSaidByPeople } from '../base/said-by-people.ts';
import { recordOf } from './item-index.ts';
import { type RolloutRecord, toResponseItem } from './rollout-records.ts';

/** A part of a file. `before`: the parts up to it, when it begins with a compaction that does without them. */
type Part = LineStart & { path: string; end: number; again: Set<number>; before?: readonly Part[] };

/** Told of all records of a conversation in order, it knows which have to be read for the model. */
export class HistoryPlace {
  private parts: Part[] = [];

  begin(path: string): void {
    this.parts.push({ path, at: 0, number: 1, end: 0, again: new Set() });
  }

  /** A line up to byte `end`, and the record that it holds. */
  take(record: RolloutRecord | undefined, start: LineStart, end: number): void {
    const part = this.parts.at(-1);
    if (!part) return;
    part.end = end;
    // nothing before it counts any more, if all of it can be read
    if (record?.type === 'compacted' && Array.isArray(record.payload.replacement_history)) {
      const before = this.parts.with(-1, { ...part, end: start.at });
      this.parts = [{ ...part, ...start, again: new Set(), before }];
    }
  }

  /** The line that was told last holds what has been written before. */
  isAgain(number: number): void {
    this.parts.at(-1)?.again.add(number);
  }

  /** Throws what the file system says. `damaged` is told lines of the last file. */
  read(damaged: (line: number) => void): Promise<ResponseItem[]> {
    const own = this.parts.at(-1)?.path;
    return historyOf(this.parts, (path, line) => path === own && damaged(line));
  }
}

async function historyOf(
  parts: readonly Part[],
  damaged: (path: string, line: number) => void,
): Promise<ResponseItem[]> {
  let history: ResponseItem[] = [];
  for (const part of parts) {
    let { before } = part;
    for await (const line of readJsonl(part.path, ofHistory, part)) {
      if (part.again.has(line.number)) continue;
      const record = recordOf(line);
      const item = record?.type === 'response_item' ? itemOf(record) : undefined;
      if (!record || item === 'damaged') damaged(part.path, line.number);
      // only all of its line shows that the compaction is lost
      if (!record && before) history = await historyOf(before, damaged);
      before = undefined;
      if (record?.type === 'compacted') history = compacted(history, record);
      else if (item && typeof item !== 'string') history.push(item);
    }
  }
  return history;
}

/** How Codex and this program begin a line. */
const HEAD = /^\{"timestamp":"[^"]{1,40}",(?:"ordinal":\d+,)?"type":"(\w+)"/;
const HEAD_BYTES = 120;
const NOTHING = Buffer.alloc(0);

/** Nothing of a line that the model sees nothing of; what begins in another way is decoded. */
function ofHistory(line: Buffer): Buffer {
  const type = HEAD.exec(line.toString('latin1', 0, HEAD_BYTES))?.[1];
  return type === undefined || type === 'response_item' || type === 'compacted' ? line : NOTHING;
}

export function itemOf({ payload, tscodex }: RolloutRecord): ReturnType<typeof toResponseItem> {
  const item = toResponseItem(payload, tscodex !== undefined);
  if (typeof item === 'string' || item.type !== 'message') return item;
  // in older files the mark stands in the record alone
  return tscodex?.inputId === undefined ? item : { ...item, by_person: true };
}

/** With a list: exactly that. Without: Codex sends the user's messages and the summary. */
function compacted(history: ResponseItem[], { payload, tscodex }: RolloutRecord): ResponseItem[] {
  const { replacement_history: list, message } = payload;
  if (Array.isArray(list))
    return list
      .map((entry) => (isObject(entry) ? toResponseItem(entry, tscodex !== undefined) : 'damaged'))
      .filter((item) => typeof item !== 'string');
  return typeof message === 'string' ? [...history.filter(isSaidByPeople), userText(message)] : history;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
