import { useEffect } from 'react';
import { useServices } from '../state/services.ts';
import { useVisible } from '../ui/use-visible.ts';

/** Lets the others know what is in view here, for as long as it is. */
export function useLooking(workspace: string, session: string | null): void {
  const { look } = useServices();
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible) return;
    look({ workspace, session });
    return () => look(null);
  }, [look, isVisible, workspace, session]);
}
