/** `exec_command`: runs a shell command, once the policy or a person allows it, and leaves long ones running. */
import { resolve } from 'node:path';
import description from '@tscodex/prompts/tools/exec-command.md';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import type { RunningProcess } from '../exec/running-process.ts';
import { type RealPlace, realPlace } from '../exec/sandbox/real-place.ts';
import type { Identity } from '../exec/sandbox/working-directory.ts';
import { runPatch } from './apply-patch.ts';
import { CommandItem } from './command-item.ts';
import { commandLine, shell } from './command-line.ts';
import { type CommandManner, permitCommand } from './command-permit.ts';
import { commandReport } from './command-report.ts';
import { isNothing } from './grants.ts';
import { clampWait, waitForProcess } from './process-wait.ts';
import { sandboxArguments, wantedBy } from './sandbox-arguments.ts';
import { sandboxHint } from './sandbox-hint.ts';
import { patchFromShell } from './shell-patch.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

/** Codex's range and default, in milliseconds. */
const YIELD = { usual: 10_000, least: 250, most: 30_000 };

/** UTF-8 bytes of a command: more Linux gives no program in one argument. */
const COMMAND_LIMIT = 128 * 1024 - 1;

const parameters = z.object({
  cmd: z
    .string()
    .refine((cmd) => cmd.trim() !== '', 'the command is empty')
    .refine(
      (cmd) => Buffer.byteLength(cmd) <= COMMAND_LIMIT,
      'the command is longer than 128 KiB; put it into a file with apply_patch and run that',
    )
    .refine((cmd) => !cmd.includes('\0'), 'the command holds a NUL character')
    .describe('The command line.'),
  workdir: z.string().optional().describe("Where it runs. The session's working directory unless given."),
  tty: z.boolean().default(false).describe('Runs it in a terminal, so that write_stdin can type into it.'),
  yield_time_ms: z.number().optional().describe('How long to wait for its end: 250 to 30000, usually 10000.'),
  max_output_tokens: z.number().positive().optional().describe('Output tokens wanted, at most 10000.'),
  shell: shell.default('bash').describe('The shell that runs it.'),
  login: z
    .boolean()
    .default(false)
    .describe('Starts it as a login shell. Hardly ever needed: commands have its environment already.'),
  ...sandboxArguments,
});
type Arguments = z.output<typeof parameters>;

export const execCommand = defineTool({
  name: 'exec_command',
  description,
  parameters,
  parallel: true,
  shows: 'own',
  async run(args, context) {
    const patch = patchFromShell(args.cmd);
    const workdir = resolve(context.cwd, args.workdir ?? '.');
    if (patch) return runPatch(patch.patch, resolve(workdir, patch.dir ?? '.'), context);
    return runCommand(args, workdir, context);
  },
});

async function runCommand(args: Arguments, workdir: string, context: ToolContext): Promise<ToolResult> {
  const line = commandLine(args);
  const expected = context.holding.confinement({})?.mode ?? 'none';
  const item = new CommandItem(context, line.shown, workdir, expected);
  let process: RunningProcess;
  try {
    const place = directory(workdir);
    const { path: cwd } = place;
    const request = { line, cwd, reason: args.justification, prefixRule: args.prefix_rule };
    const permit = await permitCommand({ ...request, wanted: wantedBy(args) }, context);
    if (!permit.granted) {
      // a person knows why they declined, of a rule or the policy people read it here
      item.complete('declined', permit.by === 'policy' ? { output: permit.message } : {});
      return { output: permit.message, success: false };
    }
    const manner = await permit.manner(await context.environment());
    context.signal.throwIfAborted();
    const { allowance } = permit;
    item.held(manner.confinement?.mode ?? 'none', {
      ...(allowance ? { allowance } : {}),
      ...(manner.confinement && !isNothing(permit.grants) ? { grants: permit.grants } : {}),
    });
    process = start(line.shown, { cwd, judged: place, tty: args.tty, ...manner }, item, context);
  } catch (error) {
    if (context.signal.aborted) item.complete('interrupted');
    else item.complete('failed', { output: error instanceof Failure ? error.message : '' });
    if (!(error instanceof Failure)) throw error;
    return { output: `exec_command: ${error.message}`, success: false };
  }
  return observe(process, args, item, context);
}

/** The directory with its links resolved: what a person allows is where it runs. */
function directory(path: string): RealPlace {
  const found = realPlace(path);
  if (!found?.directory)
    throw new Failure(
      'invalid',
      'exec.workdir',
      `the working directory ${path} ${found ? 'is not a directory' : 'does not exist'}; nothing was run`,
    );
  return found;
}

function start(
  command: string,
  how: CommandManner & { cwd: string; judged: Identity; tty: boolean },
  item: CommandItem,
  context: ToolContext,
): RunningProcess {
  const process = context.processes.start({
    command,
    ...how,
    asOwnerOf: context.cwd,
    turnId: context.turnId,
    itemId: context.itemId,
    onOutput: (delta, skipped) => item.grow(delta, skipped),
  });
  item.follow(process);
  return process;
}

/** Waits for the end or the yield time. A steer does not shorten the wait, an interruption ends the command. */
async function observe(
  process: RunningProcess,
  args: Arguments,
  item: CommandItem,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    await waitForProcess(process, clampWait(args.yield_time_ms, YIELD), context);
  } catch (error) {
    await process.stop();
    throw error;
  }
  if (process.exit === null) {
    process.toBackground();
    item.yielded(process.id);
  }
  const output = process.readNew();
  const { exit } = process;
  if (exit?.failure) return { output: `exec_command: ${exit.failure.message}`, success: false };
  const report = commandReport({
    output,
    exit,
    processId: process.id,
    wallMs: Date.now() - process.startedAt.getTime(),
    maxTokens: args.max_output_tokens,
  });
  const note = args.tty && !process.tty ? 'No terminal is available on this machine; it runs without.\n' : '';
  const { confinement } = process.start;
  const hint = sandboxHint({ output, exit, confinement, approval: context.policy.approval });
  return { output: note + report + hint, success: exit === null || exit.exitCode === 0 };
}
