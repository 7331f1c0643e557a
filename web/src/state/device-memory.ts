/** What this device remembers of a workspace: the session it had open last, what it has seen of each, its layout. */
import { type DeviceStorage, remember, remembered } from './device-storage.ts';
import type { Seen } from './seen-sessions.ts';

export class DeviceMemory {
  /** `place`: the address of the workspace, which tells servers on one host apart. */
  constructor(
    private readonly place: string,
    private readonly storage: DeviceStorage,
  ) {}

  get lastSession(): string | null {
    return remembered(this.storage, `tscodex.last.${this.place}`);
  }

  set lastSession(session: string | null) {
    remember(this.storage, `tscodex.last.${this.place}`, session);
  }

  /** How the board lies beside the conversation; null as it does at first. */
  get board(): string | null {
    return remembered(this.storage, `tscodex.board.${this.place}`);
  }

  set board(layout: string) {
    remember(this.storage, `tscodex.board.${this.place}`, layout);
  }

  /** Under which storage event another tab tells that it has shown something. */
  get seenKey(): string {
    return `tscodex.seen.${this.place}`;
  }

  /** null before anything was seen. */
  get seen(): Seen | null {
    try {
      return JSON.parse(remembered(this.storage, this.seenKey) ?? 'null') as Seen | null;
    } catch {
      return null; // cut off by a full disk: the same as nothing seen
    }
  }

  set seen(seen: Seen) {
    remember(this.storage, this.seenKey, JSON.stringify(seen));
  }
}
