/** How one gets to another session from wherever it is named: the page that shows sessions leads there. */
import type { Attachment } from '@tscodex/shared/items';
import { createContext, useContext } from 'react';

export type Begun = { text: string; images: readonly Attachment[] };

export type Opening = {
  open(session: string): void;
  /** Goes to a session that has just been made, with this in its box, unsent. */
  openToWrite(session: string, begun: Begun): void;
};

export const OpeningContext = createContext<Opening | null>(null);

/** null where no session can be shown. */
export function useOpening(): Opening | null {
  return useContext(OpeningContext);
}
