/** The JSON of events and states, and the frames that carry it: made once however many viewers they go to. */
import type { SessionEvent } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionSnapshot } from '@tscodex/shared/workspace';
import { textFrame } from './text-frame.ts';

/** States whose JSON is kept: after a restart the viewers of several sessions come at the same time. */
const STATES_KEPT = 16;

export class EventJson {
  readonly #texts = new WeakMap<SessionEvent, string>();
  /** The events that were last framed, and their frames by the number of the subscription. */
  #events: readonly SessionEvent[] | null = null;
  #body = '';
  readonly #frames = new Map<number, Buffer>();

  /** By the states themselves, which never change; the last ones that were sent. */
  readonly #states = new Map<SessionState, string>();

  of(event: SessionEvent): string {
    let text = this.#texts.get(event);
    if (text === undefined) {
      text = JSON.stringify(event);
      this.#texts.set(event, text);
    }
    return text;
  }

  /** The frame for a subscription. `epoch`: where the client must be told of it. */
  frame(sub: number, events: readonly SessionEvent[], epoch: string | null): Buffer {
    if (events !== this.#events) this.#begin(events);
    if (epoch !== null) return textFrame(this.#text(sub, `"epoch":${JSON.stringify(epoch)},`));
    let frame = this.#frames.get(sub);
    if (frame === undefined) {
      frame = textFrame(this.#text(sub, ''));
      this.#frames.set(sub, frame);
    }
    return frame;
  }

  snapshot(sub: number, { epoch, seq, state }: SessionSnapshot): string {
    let json = this.#states.get(state);
    if (json === undefined) {
      json = JSON.stringify(state);
      this.#states.set(state, json);
      const [oldest] = this.#states.keys();
      if (this.#states.size > STATES_KEPT && oldest) this.#states.delete(oldest);
    }
    return `{"type":"snapshot","sub":${sub},"epoch":${JSON.stringify(epoch)},"seq":${seq},"state":${json}}`;
  }

  /** All viewers of a session get the same array, one after the other: the last one is worth keeping. */
  #begin(events: readonly SessionEvent[]): void {
    this.#events = events;
    this.#frames.clear();
    this.#body = events.map((event) => this.of(event)).join(',');
  }

  #text(sub: number, named: string): string {
    return `{"type":"events","sub":${sub},${named}"events":[${this.#body}]}`;
  }
}
