/**
 * The loop: model, tools, model, … until a final answer. A plain function over a context, a few ports and an
 * abort signal; it owns no queue and no file. It may start from a history that ends in unanswered calls: that is
 * how a turn goes on after a restart that found it waiting for a person.
 */
import type { TurnError } from '@tscodex/shared/events';
import { Failure, messageOf } from '../base/errors.ts';
import { isToolCall, type ResponseItem, unansweredCalls } from '../base/response-items.ts';
import type { Compactor } from './compaction/compactor.ts';
import { isOverflow } from './compaction/overflow.ts';
import { type ModelResponse, requestModel } from './model-response.ts';
import { runToolCalls } from './tool-calls.ts';
import type { TurnContext, TurnPorts } from './turn-context.ts';

export type TurnOutcome =
  | { status: 'completed'; lastMessage: string | null }
  | { status: 'interrupted' }
  | { status: 'failed'; error: TurnError };

/** The reason a turn's signal is aborted with. */
export class TurnInterrupted extends Error {
  override readonly name = 'TurnInterrupted';
  constructor() {
    super('the turn was interrupted');
  }
}

/**
 * Runs one turn to its end. Never throws for what can be expected: provider, tools, disk, interruption. Without a
 * compactor, a conversation that does not fit fails.
 */
export async function runTurn(
  context: TurnContext,
  ports: TurnPorts,
  signal: AbortSignal,
  compactor?: Compactor,
): Promise<TurnOutcome> {
  return outcomeOf(loop({ context, ports, signal, compactor }), signal);
}

/** How a turn has ended whose last message is `done`. */
export async function outcomeOf(done: Promise<string | null>, signal: AbortSignal): Promise<TurnOutcome> {
  try {
    return { status: 'completed', lastMessage: await done };
  } catch (error) {
    if (signal.aborted) return { status: 'interrupted' };
    return { status: 'failed', error: turnError(error) };
  }
}

type Running = {
  context: TurnContext;
  ports: TurnPorts;
  signal: AbortSignal;
  compactor: Compactor | undefined;
};

async function loop(running: Running): Promise<string | null> {
  const { context, ports, signal, compactor } = running;
  const { history } = context;
  await runToolCalls(unansweredCalls(history), context, ports, signal);
  history.push(...(await ports.news()));
  // also when it was stopped at once: what a turn was started for is part of the conversation
  await takeInputs(history, ports);
  for (;;) {
    signal.throwIfAborted();
    await compactor?.makeRoom({ context, ports, signal });
    history.push(...(await ports.news()));
    await ports.sending();
    signal.throwIfAborted();
    const response = await answer(running);
    await ports.record(response.items);
    history.push(...response.items);
    compactor?.answered(response.usage, context);
    if (response.stoppedEarly) throw response.stoppedEarly;
    const calls = response.items.filter(isToolCall);
    await runToolCalls(calls, context, ports, signal);
    signal.throwIfAborted();
    const inputs = await takeInputs(history, ports);
    // a final answer with a steer waiting does not end the turn
    if (inputs.length === 0 && calls.length === 0) return response.lastMessage;
  }
}

/** Where the conversation does not fit it is summed up, and asked once more. Tools are not run again. */
async function answer({ context, ports, signal, compactor }: Running): Promise<ModelResponse> {
  try {
    return await requestModel(context, ports, signal);
  } catch (error) {
    if (!compactor || !isOverflow(error)) throw error;
    await compactor.afterOverflow(error, { context, ports, signal });
    signal.throwIfAborted();
    return requestModel(context, ports, signal).catch((again) => {
      throw isOverflow(again) ? compactor.overflowedAgain(again) : again;
    });
  }
}

async function takeInputs(history: ResponseItem[], ports: TurnPorts): Promise<ResponseItem[]> {
  const inputs = await ports.takeInputs();
  history.push(...inputs);
  return inputs;
}

function turnError(error: unknown): TurnError {
  if (error instanceof Failure)
    return {
      code: error.code,
      message: error.message,
      ...(error.details ? { details: error.details } : {}),
    };
  return { code: 'internal', message: `Something went wrong inside tscodex: ${messageOf(error)}` };
}
