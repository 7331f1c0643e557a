/** What Codex appends to the session's file in a turn: `codex exec` prints less than it writes. */
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Usage } from '@tscodex/shared/events';
import type { FileEdit } from '@tscodex/shared/items';
import * as z from 'zod';
import { parsedLine } from '../../base/lines.ts';
import { editOf, itemCompleted } from '../../session/codex-items.ts';
import { usageIn } from '../../session/token-count.ts';
import { promptOf } from './prompt.ts';

export type TailPorts = {
  /** A message of a person stands in the file. */
  said(text: string): void;
  model(name: string): void;
  /** A request was answered: what it took, and what the whole thread has used by then. */
  used(request: Usage, total: Usage): void;
  /** A patch, with what it changes. */
  patched(edits: readonly FileEdit[]): void;
};

/** Bytes of a line; of a longer one nothing is taken. */
const LINE_LIMIT = 16 * 1024 * 1024;
const PORTION = 64 * 1024;
const NEWLINE = 0x0a;

const record = z.object({ type: z.string(), payload: z.looseObject({}) });
const userMessage = z.object({ type: z.literal('user_message'), message: z.string() });
const content = z.array(z.looseObject({ type: z.string() })).catch([]);
const words = z.looseObject({ type: z.literal('text'), text: z.string() });
const changes = z.record(z.string(), z.unknown());
const context = z.object({ model: z.string() });

export class RolloutTail {
  #rest: Buffer[] = [];
  #length = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    /** Bytes. */
    private at: number,
    private readonly ports: TailPorts,
  ) {}

  /** Throws what the disk says. */
  static atEnd(path: string, ports: TailPorts): RolloutTail {
    return new RolloutTail(path, statSync(path).size, ports);
  }

  /** Where it reads next. */
  get position(): number {
    return this.at;
  }

  /** Takes what has been appended since. Rejects with what the disk says. */
  read(): Promise<void> {
    const next = this.#reading.then(() => this.#readOn());
    this.#reading = next.catch(() => undefined); // who asked for it is told
    return next;
  }

  async #readOn(): Promise<void> {
    const file = await open(this.path);
    try {
      const buffer = Buffer.alloc(PORTION);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, PORTION, this.at);
        if (bytesRead === 0) return;
        this.at += bytesRead;
        this.#take(Buffer.from(buffer.subarray(0, bytesRead)));
      }
    } finally {
      await file.close();
    }
  }

  #take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#keep(bytes.subarray(start, end));
      if (this.#length <= LINE_LIMIT) this.#line(Buffer.concat(this.#rest).toString());
      this.#rest = [];
      this.#length = 0;
      start = end + 1;
    }
    this.#keep(bytes.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > LINE_LIMIT) this.#rest = [];
    else this.#rest.push(part);
  }

  #line(text: string): void {
    const found = record.safeParse(parsedLine(text)).data;
    if (found?.type === 'turn_context') {
      const model = context.safeParse(found.payload).data?.model;
      if (model !== undefined) this.ports.model(model);
    } else if (found?.type === 'event_msg') this.#event(found.payload);
  }

  #event(payload: Record<string, unknown>): void {
    const usage = usageIn(payload);
    if (usage) this.ports.used(usage.context, usage.total);
    // in files of the older form
    const old = userMessage.safeParse(payload).data;
    if (old) this.ports.said(old.message);
    const item = itemCompleted.safeParse(payload).data?.item;
    if (item?.type === 'UserMessage') this.ports.said(textOf(item.content));
    if (item?.type === 'FileChange')
      this.ports.patched(Object.entries(changes.catch({}).parse(item.changes)).map(editOf));
  }
}

/** Whether a message with these words was recorded after so many bytes. */
export async function standsIn(path: string, text: string, after: number): Promise<boolean> {
  let found = false;
  const nothing = () => undefined;
  const tail = new RolloutTail(path, after, {
    said: (words) => {
      found ||= isMessage(words, text);
    },
    ...{ model: nothing, used: nothing, patched: nothing },
  });
  await tail.read().catch(() => undefined); // a file that was never made, or is gone, has none
  return found;
}

/** Whether recorded words are those of a message: Codex drops what surrounds them, and a pipe takes no halves of characters. */
export function isMessage(words: string, text: string): boolean {
  return words.trim() === Buffer.from(promptOf(text)).toString().trim();
}

function textOf(parts: unknown): string {
  return content
    .parse(parts)
    .map((part) => words.safeParse(part).data?.text ?? '')
    .join('');
}
