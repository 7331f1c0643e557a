/** The session of a Codex that an agent has started for one task: it has one turn, and its answer is what comes of it. */
import type { TurnOutcome } from '../../agent/turn.ts';
import { Failure } from '../../base/errors.ts';
import { type MessageItem, type ResponseItem, textOf } from '../../base/response-items.ts';
import { isSaidByPeople } from '../../base/said-by-people.ts';
import type { EnvironmentChange } from '../../exec/login-environment.ts';
import type { AgentBackend, BackendHost } from '../backend.ts';
import { type OneShotOptions, OneShotRun } from './one-shot-run.ts';

export type CodexOneShotOptions = Omit<OneShotOptions, 'host'> & {
  host: OneShotOptions['host'] & Pick<BackendHost, 'takeInputs' | 'sending' | 'record'>;
};

export class CodexOneShot implements AgentBackend {
  /** The whole output of the command that has just ended. */
  #output: { itemId: string; text: string } | null = null;

  constructor(private readonly options: CodexOneShotOptions) {}

  async runTurn(turnId: string, signal: AbortSignal): Promise<TurnOutcome> {
    const { host } = this.options;
    const task = taskOf(await host.takeInputs());
    await host.sending();
    const run = new OneShotRun(this.options, turnId, signal, (itemId, text) => {
      this.#output = { itemId, text };
    });
    const outcome = await run.outcome(task);
    if (outcome.status === 'completed' && outcome.lastMessage !== null)
      await host.record([answerItem(outcome.lastMessage)]);
    return outcome;
  }

  hasConversation(): boolean {
    return false;
  }

  async compact(): Promise<TurnOutcome> {
    throw once();
  }

  fork(): null {
    return null;
  }

  async listModels(): Promise<string[]> {
    return [];
  }

  change(): never {
    throw once();
  }

  background(): [] {
    return [];
  }

  async stopCommand(processId: string): Promise<void> {
    throw new Failure('notFound', 'exec.unknown', `No command ${processId} runs here any more.`);
  }

  async refreshEnvironment(): Promise<EnvironmentChange> {
    throw once();
  }

  output(itemId: string): string | null {
    return this.#output?.itemId === itemId ? this.#output.text : null;
  }

  async close(): Promise<void> {
    // its turn has ended, and with it all that ran
  }
}

/** Why it takes nothing more. */
export function once(): Failure {
  const why = 'This sub-agent is a Codex that does one task and answers once: start another one for more.';
  return new Failure('conflict', 'agent.one-shot', why);
}

/** Codex finds its own skills, and its own AGENTS.md. */
function taskOf(taken: readonly ResponseItem[]): string {
  return taken.filter(isSaidByPeople).map(textOf).join('\n\n');
}

function answerItem(text: string): MessageItem {
  return {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
    phase: 'final_answer',
  };
}
