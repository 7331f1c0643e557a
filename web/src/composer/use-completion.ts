import { type KeyboardEvent, useState } from 'react';
import { type Command, completed, completions, moved } from './completion.ts';

/** The list of commands below a text that begins with "/". Escape closes it until the text changes. */
export function useCompletion(text: string, onPick: (text: string) => void) {
  const [choice, setChoice] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const options = closedFor === text ? [] : completions(text);
  const chosen = Math.min(choice, options.length - 1);

  const pick = (command: Command) => {
    setChoice(0);
    onPick(completed(command));
  };

  /** True when the key was for the list. Keys of an input method must not come here. */
  const takesKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const command = options[chosen];
    if (!command) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp')
      setChoice(moved(chosen, key === 'ArrowDown' ? 1 : -1, options.length));
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) pick(command);
    else if (key === 'Escape') setClosedFor(text);
    else return false;
    return true;
  };

  return { options, chosen, pick, takesKey };
}
