import type { ApprovalChoice } from '@tscodex/shared/asks';
import { isComposing } from '../ui/is-composing.ts';

const KEYS: Readonly<Record<string, ApprovalChoice>> = { 1: 'once', 2: 'session', 3: 'decline', 4: 'rule' };

/** The key shown on a choice's button; '' where it has none. */
export function keyOf(choice: ApprovalChoice): string {
  return Object.keys(KEYS).find((key) => KEYS[key] === choice) ?? '';
}

/** The choice a key makes; none where it is text, part of a shortcut, held down, or meant for a dialog. */
export function choiceOf(event: KeyboardEvent): ApprovalChoice | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isComposing(event)) return undefined;
  if (event.defaultPrevented || takesKeys(event.target)) return undefined;
  return KEYS[event.key];
}

function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const fields = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]';
  return target.closest(`${fields}, dialog, [role="dialog"], [role="menu"]`) !== null;
}
