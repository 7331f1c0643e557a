/** One run of `tscodex exec`, from its words to its exit code. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionEvent } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { v4 as uuid } from 'uuid';
import { Failure, messageOf } from '../../base/errors.ts';
import { exitCodeOf } from '../exit-code.ts';
import { Held } from '../held.ts';
import { ExecEvents } from './exec-events.ts';
import { EXEC_HELP, type ExecFlags, parseExec } from './exec-flags.ts';
import { promptOf, type Stdin } from './exec-prompt.ts';
import { type ExecSession, openExecSession } from './exec-session.ts';
import { expectWritable, writeLastMessage } from './last-message.ts';
import { progressOf } from './progress.ts';

type Output = { write(text: string): unknown; isTTY?: boolean };

/** The parts of `process` that a run uses. */
export type ExecHost = {
  env: NodeJS.ProcessEnv;
  cwd(): string;
  stdin: Stdin;
  stdout: Output;
  stderr: Output;
  /** Aborted by SIGINT, SIGTERM or SIGHUP. */
  stopped: AbortSignal;
};

/**
 * Resolves with the exit code: 0 (the turn was completed), 1 (it failed or was stopped, or could not begin), 2
 * (wrong flags or configuration).
 */
export async function runExec(args: readonly string[], host: ExecHost): Promise<number> {
  const held = new Held();
  const note = (text: string) => host.stderr.write(`tscodex: ${text}\n`);
  try {
    const flags = parseExec(args);
    if (!flags) {
      host.stdout.write(EXEC_HELP);
      return 0;
    }
    const cwd = host.cwd();
    const schema = flags.schemaFile === undefined ? undefined : readSchema(resolve(cwd, flags.schemaFile));
    if (flags.lastMessageFile !== undefined) expectWritable(resolve(cwd, flags.lastMessageFile));
    const prompt = await promptOf(flags.prompt, host.stdin, note);
    const surroundings = {
      ...{ cwd, env: host.env },
      fault: (what: string, error: unknown) => note(`could not ${what}: ${messageOf(error)}`),
    };
    const session = await openExecSession(flags, schema, surroundings, held);
    return await runTurn(session, prompt, flags, host);
  } catch (error) {
    return exitCodeOf(error, note);
  } finally {
    await held.release().catch((error) => note(messageOf(error)));
  }
}

async function runTurn(
  { session, images, close }: ExecSession,
  prompt: string,
  { json, lastMessageFile }: ExecFlags,
  host: ExecHost,
): Promise<number> {
  const { state } = session.snapshot();
  const events = new ExecEvents(session.id, state.usage?.total ?? null);
  const line = (event: object) => host.stdout.write(`${JSON.stringify(event)}\n`);
  if (json) line({ type: 'thread.started', thread_id: session.id });
  const message = { id: uuid(), text: prompt, mode: 'steer' as const, literal: true, attachments: images };
  let last: string | null = null;
  const tell = (event: SessionEvent) => {
    // as Codex, which says no more then: a program that has aborted the run would take it for a failed turn
    if (json && host.stopped.aborted) return;
    if (json) for (const each of events.take(event)) line(each);
    else for (const text of progressOf(event)) host.stderr.write(text);
    const item = event.type === 'item.completed' ? (event.item as Item) : null;
    if (item?.type === 'agentMessage') last = item.text;
  };
  let isOver = false;
  const ended = new Promise<SessionEvent & { type: 'turn.completed' }>((resolve) => {
    session.subscribe(
      {
        snapshot: () => undefined,
        events(_epoch, all) {
          for (const event of all) {
            if (isOver) return;
            tell(event);
            if (event.type !== 'turn.completed') continue;
            // before an agent or a command that has just ended wakes it for a turn that nobody reads
            isOver = true;
            close().catch(() => undefined); // told as what is held is released
            resolve(event);
          }
        },
        ended: () => undefined,
      },
      { epoch: session.snapshot().epoch, after: state.seq },
    );
  });
  const stop = () => void session.interrupt(null);
  if (host.stopped.aborted) return 1;
  host.stopped.addEventListener('abort', stop, { once: true });
  await session.submit(message, null);
  // it may have come before there was a turn to stop
  if (host.stopped.aborted) stop();
  const { status } = await ended;
  // who reads both on one terminal has read it with the progress
  const isRead = json || (host.stdout.isTTY && host.stderr.isTTY);
  if (!isRead && status === 'completed' && last !== null) host.stdout.write(`${last}\n`);
  if (lastMessageFile !== undefined) writeLastMessage(resolve(host.cwd(), lastMessageFile), last ?? '');
  return status === 'completed' ? 0 : 1;
}

/** Throws `exec.schema`. */
function readSchema(path: string): Record<string, unknown> {
  try {
    const schema: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
      return schema as Record<string, unknown>;
    throw new Error('it is no object');
  } catch (error) {
    throw new Failure('unavailable', 'exec.schema', `--output-schema ${path}: ${messageOf(error)}`);
  }
}
