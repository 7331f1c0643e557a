import { useContext, useMemo } from 'react';
import { KeptContext } from '../composer/use-kept-session.ts';
import type { Opening } from '../state/opening.ts';
import type { WorkspaceView } from './use-workspace-page.ts';

/** Leads to the sessions of this page. What is to be written there is kept as if it had been typed. */
export function useSessionOpening({ open, openCreated }: WorkspaceView): Opening {
  const kept = useContext(KeptContext);
  return useMemo(
    () => ({
      open,
      openToWrite(session, { text, images }) {
        const to = kept?.of(session);
        if (to && text !== '') {
          to.draft.putBack(text);
          to.draft.write();
        }
        if (images.length > 0) to?.pictures.putBack(images);
        openCreated(session);
      },
    }),
    [kept, open, openCreated],
  );
}
