import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { RulesContext } from './rules-context.ts';

/** Fetched when it is first opened. */
const RulesDialog = lazy(() =>
  import('./rules-dialog.tsx').then((module) => ({ default: module.RulesDialog })),
);

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
