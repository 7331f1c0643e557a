/** How `exec_command` runs a command line, and the one line that says so to people. */
import * as z from 'zod';
import { systemProgram } from '../base/system-program.ts';

/** The shells whose `-l` and `-c` mean the same; the first is the usual one. */
export const shell = z.enum(['bash', 'sh', 'zsh']);

export type CommandLine = {
  /** As people see, allow and grant it: all of what runs. */
  shown: string;
  argv: [string, ...string[]];
};

/** The usual shell goes without saying, every other way of running `cmd` is spelled out. */
export function commandLine(run: { cmd: string; shell: z.infer<typeof shell>; login: boolean }): CommandLine {
  const flags = run.login ? '-lc' : '-c';
  const usual = run.shell === 'bash' && !run.login;
  return {
    shown: usual ? run.cmd : `${run.shell} ${flags} ${quoted(run.cmd)}`,
    // what is allowed may run outside the sandbox, and PATH may lead to what was written inside
    argv: [systemProgram(run.shell), flags, run.cmd],
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
