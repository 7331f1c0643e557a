/** Starts Codex and takes a session's thread up in it. */
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import { type CodexListener, CodexProcess, type CodexProgram } from '../codex-process/codex-process.ts';
import { replyOf } from '../codex-process/connection.ts';
import { notResumed } from '../codex-process/not-resumed.ts';

const threadReply = z.object({
  thread: z.object({ id: z.string() }),
  model: z.string().nullish().catch(undefined),
});
const unnamedProvider = z.object({
  type: z.literal('modelProviderNotConfigured'),
  modelProvider: z.literal(''),
});
const configReply = z.object({ config: z.looseObject({ model_provider: z.string().nullish() }) });

/**
 * The session's file is there. `model`: what Codex goes on with, where it says so. Throws what `CodexProcess.start`
 * does, the reason of the signal, `codex.busy` and `codex.resume`; nothing runs then.
 */
export async function startOnThread({
  codex,
  sessionId: threadId,
  settings,
  listener,
  signal,
}: {
  codex: CodexProgram;
  sessionId: string;
  settings: object;
  listener: CodexListener;
  signal: AbortSignal;
}): Promise<{ process: CodexProcess; model: string | null }> {
  const process = await CodexProcess.start(codex, listener, { signal });
  try {
    const resume = { threadId, excludeTurns: true, ...settings };
    const { thread, model } = replyOf(
      threadReply,
      'thread/resume',
      await unlessAborted(resumed(process, resume), signal),
    );
    // it would go on in somebody else's file
    if (thread.id !== threadId) throw notResumed(`it resumed ${thread.id}`);
    return { process, model: model ?? null };
  } catch (error) {
    await process.end();
    throw error instanceof Failure && error.code === 'codex.request'
      ? notResumed(String(error.details?.reason))
      : error;
  }
}

/** A file that another program has begun names no provider: it goes on with the one that is configured. */
async function resumed(process: CodexProcess, resume: object): Promise<unknown> {
  try {
    return await process.call('thread/resume', resume);
  } catch (error) {
    if (!(error instanceof Failure) || !unnamedProvider.safeParse(error.details?.data).success) throw error;
    const read = await process.call('config/read', { includeLayers: false });
    const { config } = replyOf(configReply, 'config/read', read);
    return process.call('thread/resume', { ...resume, modelProvider: config.model_provider ?? 'openai' });
  }
}
