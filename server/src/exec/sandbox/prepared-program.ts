/** A program as it is to be started, and what is to be done after its end. */
import type { Failure } from '../../base/errors.ts';
import type { Exit, Program } from '../channel.ts';

export type PreparedProgram = {
  program: Program;
  /** Whether all it starts ends with it, wherever it has gone, and signals to it are for its insides. */
  enclosed: boolean;
  /**
   * To be called once, after its end (null: it was not started after all), with what it put out. Resolves once nothing
   * of it runs and what it needed is tidied up, with why it has not run, if it has not: then the output is not its own.
   */
  release(exit: Exit | null, output: () => string): Promise<Failure | null>;
};
