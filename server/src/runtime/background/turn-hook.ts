/**
 * `TURN_HOOK.md` in the directory of a workspace: after each completed turn its text is carried out on a copy of the
 * conversation, beside whatever comes next. One at a time; of several turns that end meanwhile only the last counts.
 */
import { join } from 'node:path';
import type { BackgroundCommand, EventBody } from '@tscodex/shared/events';
import type { Notice } from '@tscodex/shared/items';
import { TurnInterrupted, type TurnOutcome } from '../../agent/turn.ts';
import type { Fork } from '../../backends/backend.ts';
import { messageOf } from '../../base/errors.ts';
import { readRegularFile } from '../../base/regular-file.ts';
import { notice } from '../notice.ts';

type Ports = {
  /** The directory of the workspace; null while it is broken or gone. */
  workspaceDir(): string | null;
  /** A copy of the conversation as it is. */
  fork(): Fork;
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

export class TurnHook {
  #waiting: Fork | null = null;
  #loop: Promise<void> | null = null;
  #running: { listed: BackgroundCommand; controller: AbortController } | null = null;
  /** Who has stopped the one that runs. */
  #stoppedBy: string | null = null;
  /** Why the file could not be used last time: that is told once. */
  #unusable: string | null = null;
  #left = false;

  constructor(private readonly ports: Ports) {}

  /** Listed like a command in the background, so that it can be seen and stopped. */
  get running(): BackgroundCommand | null {
    return this.#running?.listed ?? null;
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
    this.#running?.controller.abort(new TurnInterrupted());
  }

  /** Resolves when nothing of it runs any more. */
  async leave(): Promise<void> {
    this.#left = true;
    this.stop(null);
    await this.#loop;
  }

  async #runAll(): Promise<void> {
    for (let fork = this.#take(); fork; fork = this.#take()) {
      const text = await this.#read();
      if (text !== null && !this.#left) await this.#run(fork, text);
    }
  }

  #take(): Fork | null {
    const fork = this.#waiting;
    this.#waiting = null;
    return fork;
  }

  /** null where there is nothing to carry out. */
  async #read(): Promise<string | null> {
    const dir = this.ports.workspaceDir();
    if (dir === null) return null;
    const { text, why } = await readInstruction(join(dir, TURN_HOOK_FILE));
    if (why !== null && why !== this.#unusable) this.#tell(unusable(why));
    this.#unusable = why;
    return text.trim() === '' ? null : text;
  }

  async #run(fork: Fork, text: string): Promise<void> {
    const { completedAt: startedAt = '', ...begun } = notice(
      'info',
      'turn-hook.running',
      'TURN_HOOK.md runs.',
    );
    const item: Notice = { ...begun, status: 'inProgress' };
    const controller = new AbortController();
    const listed = { processId: TURN_HOOK_ID, itemId: item.id, command: TURN_HOOK_FILE, startedAt };
    this.#running = { listed, controller };
    this.#stoppedBy = null;
    this.ports.emit({ type: 'item.started', item });
    this.ports.changed();
    const outcome = await fork(text, controller.signal);
    this.#running = null;
    const { id } = item;
    this.#tell({ ...outcomeNotice(outcome, this.#stoppedBy), id, startedAt });
    this.ports.changed();
  }

  #tell(item: Notice): void {
    this.ports.emit({ type: 'item.completed', item });
  }
}

/**
 * `why` it could not be read; no file is an empty one. Whoever works in the directory may have put anything there: a
 * link is not followed, it could lead to what they may not read.
 */
async function readInstruction(path: string): Promise<{ text: string; why: string | null }> {
  const unread = (why: string) => ({ text: '', why });
  try {
    const read = await readRegularFile(path, FILE_LIMIT, 'refuse');
    if (read === 'large') return unread(`it is larger than ${FILE_LIMIT / 1024} KiB`);
    if (typeof read === 'string') return unread('it is no regular file');
    return { text: read.toString(), why: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { text: '', why: null };
    return unread(code === 'ELOOP' ? 'it is a link' : messageOf(error));
  }
}

function unusable(reason: string): Notice {
  return notice('warning', 'turn-hook.unusable', `TURN_HOOK.md is not carried out: ${reason}.`, {
    details: { reason },
  });
}

function outcomeNotice(outcome: TurnOutcome, by: string | null): Notice {
  if (outcome.status === 'interrupted') {
    const text = by === null ? 'TURN_HOOK.md was stopped.' : `TURN_HOOK.md was stopped by ${by}.`;
    return notice('info', 'turn-hook.stopped', text, by === null ? {} : { details: { by } });
  }
  if (outcome.status === 'failed') {
    const { code, message } = outcome.error;
    const details = { reason: message, code };
    return notice('warning', 'turn-hook.failed', `TURN_HOOK.md failed: ${message}`, { details });
  }
  const message = (outcome.lastMessage ?? '').slice(0, MESSAGE_LIMIT);
  return notice('info', 'turn-hook.done', 'TURN_HOOK.md was carried out.', { details: { message } });
}
