/** Which field of an entry a refusal of the server is about: its sentence stands beside that. Pure. */
import type { ApiProblem } from '../api/http.ts';
import { FIELDS, type Field } from './entry-edit.ts';

export function placeOf({ details: { field } }: Pick<ApiProblem, 'details'>): Field | null {
  return FIELDS.find((one) => one === field) ?? null;
}
