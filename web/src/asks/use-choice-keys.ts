import type { ApprovalChoice } from '@tscodex/shared/asks';
import { type RefObject, useEffect, useRef } from 'react';
import { choiceOf } from './choice-keys.ts';

/** How long an approval is in view before keys answer it, in milliseconds: nobody has read it before that. */
const READING = 500;

/** While `active`, the keys 1 to 4 make a choice in this form, which is brought into view. */
export function useChoiceKeys(
  form: RefObject<HTMLElement | null>,
  active: boolean,
  choices: readonly ApprovalChoice[],
  choose: (choice: ApprovalChoice) => void,
): void {
  const read = useRef(false);
  useEffect(() => {
    if (!active) return;
    form.current?.scrollIntoView({ block: 'nearest' });
    const timer = setTimeout(() => {
      read.current = true;
    }, READING);
    return () => {
      clearTimeout(timer);
      read.current = false;
    };
  }, [form, active]);

  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const choice = choiceOf(event);
      if (!choice || !choices.includes(choice)) return;
      event.preventDefault();
      if (read.current) choose(choice);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
