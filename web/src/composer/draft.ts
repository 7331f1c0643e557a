/** The unsent text of one session, kept on this device (O-F7): over a switch of sessions, over a reload. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';

/** Milliseconds of quiet after which a draft is written: a long one costs time at every key otherwise. */
const QUIET = 200;

const keyOf = (sessionId: string) => `tscodex.draft.${sessionId}`;

export type Drafted = {
  text: string;
  /** The ask that could be answered when the text was begun; null: none could, or that is not known any more. */
  begunFor: string | null;
};

export class Draft {
  readonly state: StoreApi<Drafted>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private written = true;

  constructor(
    private sessionId: string,
    private readonly storage: DeviceStorage,
  ) {
    this.state = createStore(() => ({ text: this.stored(), begunFor: null }));
  }

  get text(): string {
    return this.state.getState().text;
  }

  /**
   * The text is written when typing pauses; whoever shows it calls `write` when the page goes away. `askId`: what
   * could be answered now; it counts for a text that is just begun.
   */
  change(text: string, askId: string | null = null): void {
    this.state.setState(this.text === '' ? { text, begunFor: askId } : { text });
    this.written = false;
    clearTimeout(this.timer);
    // an emptied box is written at once: what was sent must not come back as a draft
    if (text === '') this.write();
    else this.timer = setTimeout(() => this.write(), QUIET);
  }

  /** Puts a text in front of what is there. */
  putBack(text: string, askId: string | null = null): void {
    this.change(joined(text, this.text), askId);
  }

  write(): void {
    clearTimeout(this.timer);
    if (this.written) return;
    this.written = true;
    remember(this.storage, keyOf(this.sessionId), this.text === '' ? null : this.text);
  }

  /** It is the draft of `sessionId` from now on, in front of the one that is kept there. */
  moveTo(sessionId: string): void {
    if (sessionId === this.sessionId) return;
    remember(this.storage, keyOf(this.sessionId), null);
    this.sessionId = sessionId;
    const text = joined(this.text, this.stored());
    if (text === '') return;
    this.change(text);
    this.write();
  }

  private stored(): string {
    return remembered(this.storage, keyOf(this.sessionId)) ?? '';
  }
}

function joined(first: string, then: string): string {
  return [first, then].filter(Boolean).join('\n\n');
}
