/** Which field of an entry a refusal of the server is about: its sentence stands beside that. Pure. */
import type { ApiProblem } from '../api/http.ts';
import type { Field } from './entry-edit.ts';

export function placeOf({ details, message }: Pick<ApiProblem, 'details' | 'message'>): Field | null {
  const named = details.field ?? /^body: (\w+):/.exec(message)?.[1];
  return named === 'name' || named === 'dir' || named === 'board' ? named : null;
}
