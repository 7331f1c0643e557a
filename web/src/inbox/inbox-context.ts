import { createContext, useContext } from 'react';

type InboxView = {
  /** How many wait. */
  count: number;
  isOpen: boolean;
  open: () => void;
};

export const InboxContext = createContext<InboxView | null>(null);

export function useInbox(): InboxView {
  const view = useContext(InboxContext);
  if (!view) throw new Error('no inbox around this component');
  return view;
}
