/**
 * Messages on their way to the server. One is kept on the device from the moment it leaves the text box until
 * the server says that it is saved, so that no crash, reload or outage in between loses it (Q8, Q14). They go one
 * after another: requests under way at the same time may arrive in either order (Q17). A retry uses the same id;
 * the server accepts each id once.
 */
import type { Attachment } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ApiProblem } from '../api/http.ts';
import type { SessionActions } from '../state/actions.ts';
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';

/** A message as it is kept: with what its images are, so that it can be taken back with them. */
export type Message = Omit<Parameters<SessionActions['send']>[0], 'attachments'> & { images?: Attachment[] };

export type Outgoing = {
  message: Message;
  state: 'sending' | 'failed';
  /** Why it failed; null when the page was closed before an answer came. */
  reason: string | null;
  /** The server may have it although it was not heard to say so. */
  mayHaveArrived: boolean;
};

const keyOf = (sessionId: string) => `tscodex.outbox.${sessionId}`;

/** Whether any is on its way. */
export function isSending(entries: readonly Outgoing[]): boolean {
  return entries.some(({ state }) => state === 'sending');
}

export class Outbox {
  readonly entries: StoreApi<Outgoing[]>;
  /** Settles when the last message handed over has arrived or failed. */
  private line: Promise<void> = Promise.resolve();

  constructor(
    private sessionId: string,
    private readonly storage: DeviceStorage,
  ) {
    const left = this.stored().map(leftBehind);
    this.entries = createStore(() => left);
  }

  /** Takes a message over and sends it. */
  submit(message: Omit<Message, 'id'>, send: SessionActions['send']): void {
    const whole = { ...message, id: uuid() };
    this.store((stored) => [...stored, whole]);
    this.entries.setState(
      (entries) => [...entries, { message: whole, state: 'sending', reason: null, mayHaveArrived: false }],
      true,
    );
    this.deliver(whole, send);
  }

  /** Sends a failed message again, as it was. */
  retry(id: string, send: SessionActions['send']): void {
    const entry = this.entries.getState().find(({ message }) => message.id === id);
    if (entry?.state !== 'failed') return;
    this.set(id, { state: 'sending', reason: null, mayHaveArrived: false });
    this.deliver(entry.message, send);
  }

  /** Forgets a message: the server has it, or the person took it back. */
  remove(id: string): void {
    this.store((stored) => stored.filter((message) => message.id !== id));
    this.entries.setState((entries) => entries.filter(({ message }) => message.id !== id), true);
  }

  /** They are messages of `sessionId` from now on, before those that are kept there. */
  moveTo(sessionId: string): void {
    if (sessionId === this.sessionId) return;
    const own = this.entries.getState().map(({ message }) => message);
    this.store((stored) => stored.filter(({ id }) => own.every((message) => message.id !== id)));
    this.sessionId = sessionId;
    const there = this.stored().map(leftBehind);
    if (own.length > 0) this.store((stored) => [...own, ...stored]);
    if (there.length > 0) this.entries.setState((entries) => [...entries, ...there], true);
  }

  private deliver(message: Message, send: SessionActions['send']): void {
    this.line = this.line.then(() => this.attempt(message, send));
  }

  private async attempt(message: Message, send: SessionActions['send']): Promise<void> {
    try {
      await send(asSent(message));
      this.remove(message.id);
    } catch (problem) {
      const reason = (problem as Error).message;
      this.set(message.id, { state: 'failed', reason, mayHaveArrived: !isRefusal(problem) });
    }
  }

  private set(id: string, change: Omit<Outgoing, 'message'>): void {
    const changed = (entry: Outgoing) => (entry.message.id === id ? { ...entry, ...change } : entry);
    this.entries.setState((entries) => entries.map(changed), true);
  }

  /** Changes what is stored rather than writing what is here: another tab may have its own on their way. */
  private store(change: (stored: Message[]) => Message[]): void {
    const next = change(this.stored());
    remember(this.storage, keyOf(this.sessionId), next.length === 0 ? null : JSON.stringify(next));
  }

  private stored(): Message[] {
    try {
      return JSON.parse(remembered(this.storage, keyOf(this.sessionId)) ?? '[]') as Message[];
    } catch {
      return []; // not ours or cut off: nothing that could be sent
    }
  }
}

function asSent({ images, ...message }: Message): Parameters<SessionActions['send']>[0] {
  return images ? { ...message, attachments: images.map(({ id }) => id) } : message;
}

function leftBehind(message: Message): Outgoing {
  return { message, state: 'failed', reason: null, mayHaveArrived: true };
}

/** Whether the server itself said no. Without an answer, or with one of a proxy, nobody knows. */
function isRefusal(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500;
}
