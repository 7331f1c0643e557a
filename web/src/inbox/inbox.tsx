import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { AimContext, aimStore } from '../state/aim.ts';
import { InboxContext } from './inbox-context.ts';
import { InboxNews } from './inbox-news.tsx';
import { InboxPanel } from './inbox-panel.tsx';
import { useInboxKey } from './use-inbox-key.ts';
import { useWaiting } from './use-waiting.ts';

/** Around every page: what waits for a person in all workspaces, a panel with it, and a voice for what is new. */
export function Inbox({ children }: { children: ReactNode }) {
  const waiting = useWaiting();
  const [isOpen, setOpen] = useState(false);
  const [aim] = useState(aimStore);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useInboxKey(isOpen ? close : open);
  const count = waiting.length;
  const view = useMemo(() => ({ count, isOpen, open }), [count, isOpen, open]);
  return (
    <AimContext value={aim}>
      <InboxContext value={view}>
        {children}
        <InboxNews waiting={waiting} />
        {isOpen && <InboxPanel waiting={waiting} onClose={close} />}
      </InboxContext>
    </AimContext>
  );
}
