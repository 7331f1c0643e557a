import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { AimContext, aimStore } from '../state/aim.ts';
import { useServices } from '../state/services.ts';
import { useAltKey } from '../ui/use-alt-key.ts';
import { InboxContext } from './inbox-context.ts';
import { InboxNews } from './inbox-news.tsx';
import { InboxPanel } from './inbox-panel.tsx';
import { useWaiting } from './use-waiting.ts';

/** Around every page: what waits for a person in all workspaces, a panel with it, and a voice for what is new. */
export function Inbox({ children }: { children: ReactNode }) {
  const { overview } = useServices();
  const isKnown = useStore(overview, ({ workspaces }) => workspaces !== null);
  const waiting = useWaiting();
  const [isOpen, setOpen] = useState(false);
  const [aim] = useState(aimStore);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useAltKey('KeyI', isOpen ? close : open, '[data-inbox-panel]');
  const count = waiting.length;
  const view = useMemo(() => ({ count, isOpen, open }), [count, isOpen, open]);
  return (
    <AimContext value={aim}>
      <InboxContext value={view}>
        {children}
        <InboxNews waiting={isKnown ? waiting : null} />
        {isOpen && <InboxPanel waiting={waiting} onClose={close} />}
      </InboxContext>
    </AimContext>
  );
}
