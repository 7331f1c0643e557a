/**
 * `TURN_HOOK.md` in the directory of a workspace: after each completed turn its text is carried out on a copy of the
 * conversation, beside whatever comes next. One at a time; of several turns that end meanwhile only the last counts.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackgroundCommand, EventBody } from '@tscodex/shared/events';
import type { Notice } from '@tscodex/shared/items';
import { TurnInterrupted } from '../../agent/turn.ts';
import type { Fork, ForkOutcome } from '../../backends/backend.ts';
import { messageOf } from '../../base/errors.ts';
import { FileAtPath, type MayRead } from '../../base/file-at-path.ts';
import { notice } from '../notice.ts';

type Ports = {
  /** The directory of the workspace; null while it is broken or gone. */
  workspaceDir(): string | null;
  /** What the session's commands may read, as of now. */
  reads(): MayRead;
  /** A copy of the conversation as it is. */
  /** null where there is none. */
  fork(): Fork | null;
  emit(event: EventBody): void;
  /** `running` has changed. */
  changed(): void;
  fault(what: string, error: unknown): void;
};

export const TURN_HOOK_FILE = 'TURN_HOOK.md';
/** What it is known by in the list of what runs in the background. */
export const TURN_HOOK_ID = 'turn-hook';

const FILE_LIMIT = 64 * 1024;
/** Characters of the last message that the notice holds. */
const MESSAGE_LIMIT = 16 * 1024;
/** Commands and patches that it names, and characters of each. */
const MOST_DONE = 50;
const DONE_LIMIT = 300;

export class TurnHook {
  #waiting: Fork | null = null;
  #loop: Promise<void> | null = null;
  #running: BackgroundCommand | null = null;
  /** Of the fork that was taken, from before its text is read. */
  #controller: AbortController | null = null;
  /** Who has stopped the one that runs. */
  #stoppedBy: string | null = null;
  /** Why the file could not be used last time: that is told once. */
  #unusable: string | null = null;
  #left = false;

  constructor(private readonly ports: Ports) {}

  /** Listed like a command in the background, so that it can be seen and stopped. */
  get running(): BackgroundCommand | null {
    return this.#running;
  }

  /** To be called when a turn has completed, before the next begins. */
  turnCompleted(): void {
    if (this.#left) return;
    this.#waiting = this.ports.fork();
    this.#loop ??= this.#runAll()
      .catch((error) => this.ports.fault('run TURN_HOOK.md', error))
      .finally(() => {
        this.#loop = null;
      });
  }

  stop(by: string | null): void {
    this.#waiting = null;
    this.#stoppedBy = by;
    this.#controller?.abort(new TurnInterrupted());
  }

  /** Resolves when nothing of it runs any more. */
  async leave(): Promise<void> {
    this.#left = true;
    this.stop(null);
    await this.#loop;
  }

  async #runAll(): Promise<void> {
    for (let fork = this.#take(); fork; fork = this.#take()) {
      const { signal } = fork;
      const text = await this.#read();
      if (text !== null && !signal.aborted) await this.#run(fork.fork, text, signal);
    }
  }

  #take(): { fork: Fork; signal: AbortSignal } | null {
    const fork = this.#waiting;
    this.#waiting = null;
    if (!fork) return null;
    this.#stoppedBy = null;
    this.#controller = new AbortController();
    return { fork, signal: this.#controller.signal };
  }

  /** null where there is nothing to carry out. */
  async #read(): Promise<string | null> {
    const dir = this.ports.workspaceDir();
    if (dir === null) return null;
    const { text, why } = await readInstruction(dir, this.ports.reads());
    if (why !== null && why !== this.#unusable) this.#tell(unusable(why));
    this.#unusable = why;
    return text.trim() === '' ? null : text;
  }

  async #run(fork: Fork, text: string, signal: AbortSignal): Promise<void> {
    const { completedAt: startedAt = '', ...begun } = notice(
      'info',
      'turn-hook.running',
      'TURN_HOOK.md runs.',
    );
    const item: Notice = { ...begun, status: 'inProgress' };
    this.#running = { processId: TURN_HOOK_ID, itemId: item.id, command: TURN_HOOK_FILE, startedAt };
    this.ports.emit({ type: 'item.started', item });
    this.ports.changed();
    const outcome = await fork(text, signal);
    this.#running = null;
    this.#controller = null;
    const { id } = item;
    this.#tell({ ...outcomeNotice(outcome, this.#stoppedBy), id, startedAt });
    this.ports.changed();
  }

  #tell(item: Notice): void {
    this.ports.emit({ type: 'item.completed', item });
  }
}

/**
 * `why` it could not be read; no file is an empty one. Whoever works in the directory may have put anything there: no
 * more is read than the session's commands could read, and a link is not followed.
 */
async function readInstruction(dir: string, mayRead: MayRead): Promise<{ text: string; why: string | null }> {
  const unread = (why: string) => ({ text: '', why });
  try {
    using place = FileAtPath.find(join(dir, TURN_HOOK_FILE));
    if (!place) return { text: '', why: null };
    const { path, stats } = place.found;
    if (path !== join(await realpath(dir), TURN_HOOK_FILE)) return unread('it is a link');
    if (!stats.isFile()) return unread('it is no regular file');
    if (stats.size > FILE_LIMIT) return unread(`it is larger than ${FILE_LIMIT / 1024} KiB`);
    if (!mayRead(place.found)) return unread('the commands of this session may not read it');
    return { text: (await place.read(FILE_LIMIT)).toString(), why: null };
  } catch (error) {
    return unread(messageOf(error));
  }
}

function unusable(reason: string): Notice {
  return notice('warning', 'turn-hook.unusable', `TURN_HOOK.md is not carried out: ${reason}.`, {
    details: { reason },
  });
}

function outcomeNotice(outcome: ForkOutcome, by: string | null): Notice {
  const done = outcome.done.length ? { done: doneLines(outcome.done) } : {};
  if (outcome.status === 'interrupted') {
    const text = by === null ? 'TURN_HOOK.md was stopped.' : `TURN_HOOK.md was stopped by ${by}.`;
    const details = { ...(by === null ? {} : { by }), ...done };
    return notice('info', 'turn-hook.stopped', text, { details });
  }
  if (outcome.status === 'failed') {
    const { code, message } = outcome.error;
    const details = { reason: message, code, ...done };
    return notice('warning', 'turn-hook.failed', `TURN_HOOK.md failed: ${message}`, { details });
  }
  const message = (outcome.lastMessage ?? '').slice(0, MESSAGE_LIMIT);
  return notice('info', 'turn-hook.done', 'TURN_HOOK.md was carried out.', { details: { message, ...done } });
}

/** A line each. */
function doneLines(done: readonly string[]): string {
  const lines = done.slice(0, MOST_DONE).map((what) => what.replace(/\s+/g, ' ').slice(0, DONE_LIMIT));
  return [...lines, ...(done.length > MOST_DONE ? ['…'] : [])].join('\n');
}
