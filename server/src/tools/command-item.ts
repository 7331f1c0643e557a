/** The item that shows a command, from the call to the command's end, which may come long after the turn's. */
import type { EventBody } from '@tscodex/shared/events';
import type { CommandExecution } from '@tscodex/shared/items';
import { growOutput } from '@tscodex/shared/session-state';
import type { RunningProcess } from '../exec/running-process.ts';
import type { ToolContext } from './tool.ts';

export class CommandItem {
  #item: CommandExecution;
  readonly #emit: (event: EventBody) => void;

  /** Shows it as in progress; `sandbox`: what is expected to hold it. */
  constructor(context: ToolContext, command: string, cwd: string, sandbox: string) {
    this.#emit = (event) => context.emit(event);
    this.#item = {
      id: context.itemId,
      type: 'commandExecution',
      turnId: context.turnId,
      status: 'inProgress',
      startedAt: new Date().toISOString(),
      command,
      cwd,
      output: '',
      outputBytes: 0,
      truncated: false,
      sandbox,
    };
    this.#emit({ type: 'item.started', item: this.#item });
  }

  /** It runs, held by this and given what is beyond it; `allowance`: what let it run unasked. */
  held(sandbox: string, { grants, allowance }: Pick<CommandExecution, 'grants' | 'allowance'> = {}): void {
    if (sandbox === this.#item.sandbox && !grants && !allowance) return;
    this.#item = {
      ...this.#item,
      sandbox,
      ...(grants ? { grants } : {}),
      ...(allowance ? { allowance } : {}),
    };
    this.#emit({ type: 'item.updated', item: this.#item });
  }

  /** `skipped` bytes lie before `delta`. */
  grow(delta: string, skipped: number): void {
    this.#item = growOutput(this.#item, delta, skipped);
    const { id: itemId } = this.#item;
    this.#emit({ type: 'item.delta', itemId, field: 'output', delta, ...(skipped ? { skipped } : {}) });
  }

  /** The call returns, the command goes on. */
  yielded(processId: string): void {
    this.#item = { ...this.#item, processId };
    this.#emit({ type: 'item.updated', item: this.#item });
  }

  /** Completes the item when the command ends. */
  follow(process: RunningProcess): void {
    void process.exited.then(({ exitCode, failure }) => {
      const durationMs = Date.now() - process.startedAt.getTime();
      // what the sandbox printed is no output of the command
      if (failure) return this.complete('failed', { output: failure.message, durationMs });
      const status = process.stopped ? 'interrupted' : exitCode === 0 ? 'completed' : 'failed';
      this.complete(status, { exitCode, durationMs });
    });
  }

  /** `output` tells why a command that never ran did not. */
  complete(
    status: Exclude<CommandExecution['status'], 'inProgress'>,
    result: Partial<Pick<CommandExecution, 'exitCode' | 'durationMs' | 'output'>> = {},
  ): void {
    this.#item = { ...this.#item, ...result, status, completedAt: new Date().toISOString() };
    this.#emit({ type: 'item.completed', item: this.#item });
  }
}
