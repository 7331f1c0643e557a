import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useStore } from 'zustand';
import { DeviceMemory } from '../state/device-memory.ts';
import { deviceStorage } from '../state/device-storage.ts';
import { useServices } from '../state/services.ts';
import { useVisible } from '../ui/use-visible.ts';
import { hasUnseen } from './unseen.ts';

/** Whether any session has something that nobody has looked at on this device. */
export function useUnseen(muted: readonly string[]): boolean {
  const { api, overview } = useServices();
  const { workspaces } = useStore(overview);
  const [search] = useSearchParams();
  const isVisible = useVisible();
  const inView = isVisible ? search.get('session') : null;
  const [unseen, setUnseen] = useState(false);

  // after the page has written down what it shows
  useEffect(() => {
    const seenOf = (id: string) => new DeviceMemory(`${api.base.pathname}w/${id}`, deviceStorage()).seen;
    const look = () =>
      setUnseen(hasUnseen(workspaces ?? [], seenOf, inView === null ? muted : [...muted, inView]));
    look();
    // another tab has looked
    addEventListener('storage', look);
    return () => removeEventListener('storage', look);
  }, [api, workspaces, muted, inView]);
  return unseen;
}
