/** What waits in a session, as pure functions: what an input is, what starts next, what joins, what moves. */
import type { Input, InputPatch } from '@tscodex/shared/inputs';

export type Interpretation =
  | { kind: 'message'; mode: 'steer' | 'queue'; text: string }
  | { kind: 'command'; name: string; argument: string };

/** `/word` is a command, `/a/path` is text, `/queue X` is X for the queue. `literal` text is never a command. */
export function interpret(text: string, mode: 'steer' | 'queue', literal: boolean): Interpretation {
  const command = literal ? null : /^\s*\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text);
  if (!command) return { kind: 'message', mode, text };
  const [, name = '', argument = ''] = command;
  if (name === 'queue' && argument.trim()) return { kind: 'message', mode: 'queue', text: argument.trim() };
  return { kind: 'command', name, argument: argument.trim() };
}

/** What the next turn starts with: all steers, else the first of the queue. */
export function nextTurn(waiting: readonly Input[]): Input[] {
  const steers = steersOf(waiting);
  return steers.length ? steers : waiting.slice(0, 1);
}

/** What joins the running turn before its next request. */
export function steersOf(waiting: readonly Input[]): Input[] {
  return waiting.filter((input) => input.mode === 'steer');
}

/**
 * The same inputs with one changed or moved within its own kind. An unknown id changes nothing. Whoever writes the
 * words is their author: nobody is made to say what another wrote.
 */
export function changed(
  waiting: readonly Input[],
  id: string,
  patch: InputPatch,
  by: string | null,
): Input[] {
  const found = waiting.find((input) => input.id === id);
  if (!found) return [...waiting];
  const input = patch.text === undefined ? found : { ...found, text: patch.text, author: by };
  const kin = waiting.filter((other) => other.mode === input.mode);
  const position = Math.min(patch.position ?? kin.indexOf(found), kin.length - 1);
  const others = kin.filter((other) => other !== found).toSpliced(position, 0, input);
  const rest = waiting.filter((other) => other.mode !== input.mode);
  return input.mode === 'steer' ? [...others, ...rest] : [...rest, ...others];
}
