import { type ReactNode, useCallback, useState } from 'react';
import { RulesContext } from './rules-context.ts';
import { RulesDialog } from './rules-dialog.tsx';

/** Around every page: the list of rules, opened from wherever one speaks of them. */
export function Rules({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  return (
    <RulesContext value={open}>
      {children}
      {isOpen && <RulesDialog onClose={() => setOpen(false)} />}
    </RulesContext>
  );
}
