/** Runs the commands people type and tells in the conversation what came of each. */
import type { Input } from '@tscodex/shared/inputs';
import type { Item } from '@tscodex/shared/items';
import { Failure, messageOf } from '../base/errors.ts';
import { type CommandHost, runCommand } from './commands.ts';
import type { Inputs } from './inputs.ts';
import { notice } from './notice.ts';
import type { SessionStore } from './session-store.ts';

type Ports = {
  host: CommandHost;
  inputs: Pick<Inputs, 'showCommand'>;
  store: Pick<SessionStore, 'endInput'>;
  tell(item: Item): void;
  fault(what: string, error: unknown): void;
};

export class CommandRuns {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly ports: Ports) {}

  /** Resolves when all that was started has ended. */
  get settled(): Promise<void> {
    return this.#last;
  }

  /** One after another, but a stop waits for nobody. */
  start(input: Input, { name, argument }: { name: string; argument: string }): void {
    const before = name === 'stop' ? Promise.resolve() : this.#last;
    const run = before
      .then(() => this.#run(input, name, argument))
      .catch((error) => this.ports.fault(`command /${name}`, error));
    this.#last = Promise.all([this.#last, run]).then(() => undefined);
  }

  async #run(input: Input, name: string, argument: string): Promise<void> {
    const { host, inputs, store, tell, fault } = this.ports;
    // a disk that refuses to keep the command must not keep it from running
    await inputs.showCommand(input).catch((error) => fault('record a command', error));
    try {
      const report = await runCommand({ name, argument }, host, input.author);
      if (report) tell(notice('info', `command.${name}`, report.text, report));
    } catch (error) {
      const code = error instanceof Failure ? error.code : 'internal';
      if (!(error instanceof Failure)) fault(`command /${name}`, error);
      const details = { ...(error instanceof Failure ? error.details : {}), text: input.text };
      tell(notice('error', code, messageOf(error), { details }));
    }
    await store.endInput(input.id);
  }
}
