import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { lateDialog } from '../ui/late-dialog.tsx';
import { RulesContext } from './rules-context.ts';

const RulesDialog = lateDialog(() => import('./rules-dialog.tsx').then((module) => module.RulesDialog));

/** Around every page: the list of rules, opened from wherever one speaks of them. */
export function Rules({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  return (
    <RulesContext value={open}>
      {children}
      {isOpen && (
        <Suspense fallback={null}>
          <RulesDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </RulesContext>
  );
}
