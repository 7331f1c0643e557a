/** `write_stdin`: types into a command that was left running, and reads what it has printed since. */
import description from '@tscodex/prompts/tools/write-stdin.md';
import * as z from 'zod';
import type { RunningProcess } from '../exec/running-process.ts';
import { MOST_WAITING } from '../exec/terminal-input.ts';
import { permission } from './approved-exec.ts';
import { commandReport } from './command-report.ts';
import { isNothing, stillTrue } from './grants.ts';
import { grantedBeyond, isHeldMoreLoosely } from './held-more-loosely.ts';
import { clampWait, waitForProcess } from './process-wait.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** Codex's ranges and defaults, in milliseconds. */
const AFTER_TYPING = { usual: 250, least: 250, most: 30_000 };
const POLL = { usual: 5_000, least: 5_000, most: 300_000 };

/** A terminal cuts longer lines while it collects them for the program (N_TTY_BUF_SIZE). */
const LINE_BYTES = 4095;

/** Characters typed at once; more belongs into a file. */
const TYPED_LIMIT = 64 * 1024;

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const parameters = z.object({
  session_id: z.number().int().describe('The session id that exec_command gave.'),
  chars: z
    .string()
    .max(TYPED_LIMIT, 'it is more than 64 KiB; put it into a file and have the program read that')
    .default('')
    .describe('What to type. Nothing: only wait for output.'),
  yield_time_ms: z
    .number()
    .optional()
    .describe('How long to wait for output: 250 to 30000 after typing, else 5000 to 300000.'),
  max_output_tokens: z.number().positive().optional().describe('Output tokens wanted, at most 10000.'),
});

export const writeStdin = defineTool({
  name: 'write_stdin',
  description,
  parameters,
  parallel: true,
  shows: 'toolCall',
  async run({ session_id, chars, yield_time_ms, max_output_tokens }, context) {
    const process = context.processes.get(String(session_id));
    if (!process) return { output: unknown(session_id, context), success: false };
    const calledAt = Date.now();
    if (chars) {
      const refused = await typeInto(process, chars, context);
      if (refused !== null) return { output: `write_stdin: ${refused}`, success: false };
    }
    const wait = clampWait(yield_time_ms, chars ? AFTER_TYPING : POLL);
    if (!process.exit) await waitForProcess(process, wait, context, chars ? undefined : context);
    const report = commandReport({
      output: process.readNew(),
      exit: process.exit,
      processId: process.id,
      wallMs: Date.now() - calledAt,
      maxTokens: max_output_tokens,
    });
    return { output: warning(process, chars) + report, success: true };
  },
});

/** What is typed into a shell is a command like any other, so it takes the same permission. */
async function typeInto(
  process: RunningProcess,
  chars: string,
  context: ToolContext,
): Promise<string | null> {
  if (process.exit) return null;
  const stops = chars === CTRL_C || chars === CTRL_D;
  if (!process.tty && chars !== CTRL_C)
    return 'it has no terminal and reads nothing; start it again with exec_command and tty: true.';
  if (!stops) {
    const { command, cwd, confinement } = process.start;
    const shown = `type ${JSON.stringify(chars)} into: ${command}`;
    const now = context.holding.confinement(await stillTrue(context.allowed()));
    const looser = isHeldMoreLoosely(confinement, now);
    const grants = looser && confinement !== null ? grantedBeyond(confinement, now) : {};
    const asked = await permission(
      { what: 'input', confined: confinement !== null, looser },
      {
        ...{ what: 'command', command: shown, cwd, sandbox: confinement?.mode ?? 'none' },
        ...(isNothing(grants) ? {} : { grants }),
      },
      context,
    );
    if (!asked.granted) return asked.message;
  }
  if (!process.tty) process.interrupt();
  else if (!process.write(chars))
    return `nothing was typed: ${process.unread} bytes that were typed before wait to be read, and at most ${MOST_WAITING} can; wait until the program reads, type less at once, or stop it.`;
  return null;
}

function unknown(sessionId: number, context: ToolContext): string {
  const running = context.processes.list().map(({ processId, command }) => `${processId} (${command})`);
  const known = running.length ? `Running: ${running.join(', ')}.` : 'No command is running.';
  return `write_stdin: there is no session ${sessionId}: it has ended, or the server was restarted. ${known}`;
}

function warning(process: RunningProcess, chars: string): string {
  if (!process.tty || !chars.split(/[\r\n]/).some((line) => Buffer.byteLength(line) > LINE_BYTES)) return '';
  return `Warning: a terminal cuts lines after ${LINE_BYTES} bytes; unless the program reads raw input, send shorter lines.\n`;
}
