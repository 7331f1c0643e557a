/** The JSON text of events, made once however many viewers an event goes to. */
import type { SessionEvent } from '@tscodex/shared/events';

export class EventJson {
  readonly #texts = new WeakMap<SessionEvent, string>();

  of(event: SessionEvent): string {
    let text = this.#texts.get(event);
    if (text === undefined) {
      text = JSON.stringify(event);
      this.#texts.set(event, text);
    }
    return text;
  }
}
