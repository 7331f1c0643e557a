/** What is chosen or typed for an ask and not given yet outlives the form: a session switch, a reload (Q36). */
import type { Ask } from '@tscodex/shared/asks';
import { useEffect, useRef, useState } from 'react';
import { remember, remembered, tabStorage } from '../state/device-storage.ts';

/** What is kept of an ask: its answer or reason, and the rule of an approval. */
type Part = 'answer' | 'rule';

const key = (askId: string, part: Part) => `tscodex.ask.${askId}${part === 'rule' ? '.rule' : ''}`;

/** A state that this browser tab keeps until the ask is closed. */
export function useKept<Value>(
  askId: string,
  initial: Value,
  part: Part = 'answer',
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => read<Value>(key(askId, part)) ?? initial);
  const keep = (next: Value) => {
    setValue(next);
    remember(tabStorage(), key(askId, part), JSON.stringify(next));
  };
  return [value, keep];
}

function read<Value>(kept: string): Value | null {
  try {
    return JSON.parse(remembered(tabStorage(), kept) ?? 'null') as Value | null;
  } catch {
    return null; // cut off by a full disk: the form begins empty
  }
}

/** Forgets what was kept for an ask once it is closed, whoever answered it. */
export function useForgetClosed(asks: readonly Ask[]): void {
  const before = useRef(asks);
  useEffect(() => {
    const open = new Set(asks.map(({ id }) => id));
    const closed = before.current.filter(({ id }) => !open.has(id));
    for (const { id } of closed)
      for (const part of ['answer', 'rule'] as const) remember(tabStorage(), key(id, part), null);
    before.current = asks;
  }, [asks]);
}
