/** Whether somebody else works where a session's turn does, as far as people and the model should know. */
import type { EventBody } from '@tscodex/shared/events';
import type { Notice } from '@tscodex/shared/items';
import { type BranchSwitch, BranchWatch } from './branch-watch.ts';
import { gitBranch } from './git-branch.ts';
import { notice } from './notice.ts';
import type { Worker, Workplaces } from './workplaces.ts';

type Ports = {
  /** As of now. */
  directory(): string;
  title(): string | null;
  /** Whether the running turn only waits for people. */
  waits(): boolean;
  /** The running turn's id. */
  turnId(): string | null;
  tell(item: Notice): void;
};

export class Company implements Worker {
  readonly #branch: BranchWatch;
  #met = false;

  constructor(
    private readonly workplaces: Workplaces,
    private readonly ports: Ports,
  ) {
    this.#branch = new BranchWatch(
      () => gitBranch(ports.directory()),
      (happened) => this.#tell('session.branch', branchText(happened), happened),
    );
  }

  get directory(): string {
    return this.ports.directory();
  }

  get title(): string | null {
    return this.ports.title();
  }

  get waits(): boolean {
    return this.ports.waits();
  }

  /** To be called with each event of the session before it is told. */
  see(event: EventBody): void {
    this.#branch.see(event);
    if (event.type === 'turn.started') this.workplaces.enter(this);
    if (event.type === 'turn.completed') this.leave();
  }

  /** Before each request: people are told who else works here, the model gets what it must know. */
  news(): BranchSwitch[] {
    this.workplaces.introduce(this);
    return this.#branch.take();
  }

  /** Once is enough: who shares a directory does so on purpose, or finds another. */
  meet({ title }: Worker): void {
    if (this.#met) return;
    this.#met = true;
    const who = title === null ? 'Another session' : `The session “${title}”`;
    const text = `${who} works in this directory at the same time: each finds changed what the other changes.`;
    this.#tell('session.sharedDirectory', text, title === null ? {} : { title });
  }

  leave(): void {
    this.workplaces.leave(this);
  }

  #tell(code: string, text: string, details: Record<string, unknown>): void {
    const turnId = this.ports.turnId();
    this.ports.tell(notice('warning', code, text, { details, ...(turnId === null ? {} : { turnId }) }));
  }
}

function branchText({ from, to }: BranchSwitch): string {
  return `The git branch was switched from ${from} to ${to} while the agent works here. The agent is told.`;
}
