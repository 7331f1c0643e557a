/** What is chosen or typed for an ask and not given yet outlives the form: a session switch, a reload (Q36). */
import type { Ask } from '@tscodex/shared/asks';
import { useEffect, useRef, useState } from 'react';
import { remember, remembered, tabStorage } from '../state/device-storage.ts';

const key = (askId: string) => `tscodex.ask.${askId}`;

/** A state that this browser tab keeps until the ask is closed. */
export function useKept<Value>(askId: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => read<Value>(askId) ?? initial);
  const keep = (next: Value) => {
    setValue(next);
    remember(tabStorage(), key(askId), JSON.stringify(next));
  };
  return [value, keep];
}

function read<Value>(askId: string): Value | null {
  try {
    return JSON.parse(remembered(tabStorage(), key(askId)) ?? 'null') as Value | null;
  } catch {
    return null; // cut off by a full disk: the form begins empty
  }
}

/** Forgets what was kept for an ask once it is closed, whoever answered it. */
export function useForgetClosed(asks: readonly Ask[]): void {
  const before = useRef(asks);
  useEffect(() => {
    const open = new Set(asks.map(({ id }) => id));
    for (const { id } of before.current) if (!open.has(id)) remember(tabStorage(), key(id), null);
    before.current = asks;
  }, [asks]);
}
