/** What the page may ask of a session. Each resolves when the server has saved it and rejects with `ApiProblem`. */
import type { AskAnswer } from '@tscodex/shared/asks';
import type { InputPatch } from '@tscodex/shared/inputs';
import type { Found, ItemPage, SessionChange, SessionModel } from '@tscodex/shared/workspace';

/** The page before an item, after one, or around it. */
export type PageAsked = { before: string } | { after: string } | { around: string };

export type SessionActions = {
  /** `id` is made once per message and reused on retry, so that nothing is sent twice. */
  send(message: {
    id: string;
    text: string;
    mode: 'steer' | 'queue';
    seen?: number;
    literal?: boolean;
    /** Ids of images that the server has. */
    attachments?: string[];
  }): Promise<void>;
  /** New words or another place for a message that waits. */
  changeInput(inputId: string, patch: InputPatch): Promise<void>;
  withdrawInput(inputId: string): Promise<void>;
  interrupt(): Promise<void>;
  /** Continue after a restart's interruption, or lift a pause. */
  resume(): Promise<void>;
  answer(askId: string, answer: AskAnswer): Promise<void>;
  stopCommand(processId: string): Promise<void>;
  stopClock(): Promise<void>;
  page(asked: PageAsked): Promise<ItemPage>;
  /** Where in the whole conversation `words` are said. */
  find(words: string, gone: AbortSignal): Promise<Found>;
  output(itemId: string): Promise<string>;
  change(change: SessionChange): Promise<void>;
  /** What it can go on with. */
  models(): Promise<readonly SessionModel[]>;
  /** Begins another session with this one's conversation up to a message; the id of that. */
  fork(before?: string): Promise<string>;
};

export type Connection = 'connecting' | 'live' | 'lost';
