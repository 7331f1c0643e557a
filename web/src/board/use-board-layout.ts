import { useCallback, useState } from 'react';
import type { DeviceMemory } from '../state/device-memory.ts';
import { type Layout, readLayout } from './board-layout.ts';

/** How the board lies beside the conversation; remembered on this device, a workspace for itself. */
export function useBoardLayout(memory: DeviceMemory): Layout & {
  resize: (share: number) => void;
  collapse: (collapsed: boolean) => void;
} {
  const [layout, setLayout] = useState(() => readLayout(memory.board));
  const change = useCallback(
    (part: Partial<Layout>) =>
      setLayout((before) => {
        const next = { ...before, ...part };
        memory.board = JSON.stringify(next);
        return next;
      }),
    [memory],
  );
  return {
    ...layout,
    resize: useCallback((share) => change({ share }), [change]),
    collapse: useCallback((collapsed) => change({ collapsed }), [change]),
  };
}
