import { Failure } from '../base/errors.ts';

/** Notes why a program of ours could not do its work: its exit code is 2 for wrong flags or configuration, else 1. */
export function exitCodeOf(error: unknown, note: (text: string) => void): 1 | 2 {
  const expected = error instanceof Failure;
  note(expected ? error.message : `${(error as Error)?.stack ?? error}`);
  return expected && error.kind === 'invalid' ? 2 : 1;
}
