/** How hard a model may be asked to think: only what it is known to take, where that is known. Pure. */
import { Failure } from '../base/errors.ts';

/** `known`: of the model, from the least; undefined where nobody has said. Throws `model.effort`. */
export function checkEffort(model: string, effort: string, known: readonly string[] | undefined): void {
  if (!known || known.includes(effort)) return;
  const efforts = known.join(', ');
  const takes = efforts === '' ? 'it takes no such setting' : `it takes ${efforts}`;
  throw new Failure(
    'invalid',
    'model.effort',
    `${model} takes no effort ${JSON.stringify(effort)}: ${takes}.`,
    {
      details: { model, effort, efforts },
    },
  );
}

/** What stays of an effort that was set for another model; null: nothing. */
export function keptEffort(effort: string | null, known: readonly string[] | undefined): string | null {
  return effort === null || !known || known.includes(effort) ? effort : null;
}
