import { type KeyboardEvent, useState } from 'react';
import { isComposing } from '../ui/is-composing.ts';
import { type Row, rowByKey } from './rows.ts';

/**
 * The line that Enter chooses: the first, or the one that keys have gone to, wherever more that comes puts it.
 * `canChoose`: the lines are the answer to what stands in the field.
 */
export function useMarkedRow(rows: readonly Row[], canChoose: boolean, onChoose: (row: Row) => void) {
  const [key, setKey] = useState<string | null>(null);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.key === key),
  );
  const marked = rows[at] ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const to = rowByKey(event.key, at, rows.length);
    if (to !== null) setKey(rows[to]?.key ?? null);
    else if (event.key !== 'Enter') return;
    else if (marked && canChoose) onChoose(marked);
    event.preventDefault();
  };
  return { marked, mark: setKey, onKeyDown };
}
