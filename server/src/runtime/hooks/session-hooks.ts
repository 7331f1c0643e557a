/** Tells a session's hooks what happens in it. What fails is told in the session, once until it works again. */
import type { Ask } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import type { Notice } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import type { Hook, HookEvent } from '../../base/config/config-hooks.ts';
import { notice } from '../notice.ts';
import type { HookFailure } from './hook-process.ts';
import type { HookRunner } from './hook-runner.ts';

type Ports = {
  hooks: readonly Hook[];
  runner: Pick<HookRunner, 'run'>;
  /** Of the session's workspace; null while it is broken or gone. */
  workspaceDir(): string | null;
  state(): SessionState;
  tell(item: Notice): void;
};

/** Characters of one text that hooks are given. */
const TEXT_LIMIT = 16 * 1024;

export class SessionHooks {
  /** By hook, how it failed last. */
  readonly #failing = new Map<Hook, string>();
  #dropping = false;

  constructor(private readonly ports: Ports) {}

  /** To be called with each event of the session once it is told. */
  see(event: EventBody): void {
    if (event.type === 'turn.started') this.#run(event.type, { turn_id: event.turn.id });
    if (event.type === 'ask.opened')
      this.#run(event.type, { turn_id: event.ask.turnId, ask: askFacts(event.ask) });
    if (event.type === 'turn.completed')
      this.#run(event.type, {
        ...{ turn_id: event.turnId, status: event.status, duration_ms: event.durationMs },
        last_message: this.#lastMessage(event.turnId),
        ...(event.error ? { error: { code: event.error.code, message: cut(event.error.message) } } : {}),
      });
  }

  /** `reason`: it was closed, its workspace left the list, or the server stops. */
  closed(reason: 'close' | 'unlist' | 'shutdown'): void {
    this.#run('session.closed', { reason });
  }

  #run(event: HookEvent, facts: object): void {
    const hooks = this.ports.hooks.filter((hook) => hook.event === event);
    if (hooks.length === 0) return;
    const { id, parentId, workspaceId, cwd, title } = this.ports.state();
    const workspace = { id: workspaceId, directory: this.ports.workspaceDir() };
    const parent = parentId === null ? {} : { parent_session_id: parentId };
    const about = {
      ...{ event, at: new Date().toISOString(), session_id: id, ...parent, workspace, cwd, title },
    };
    const input = `${JSON.stringify({ ...about, ...facts })}\n`;
    for (const hook of hooks) {
      const runs = this.ports.runner.run(id, hook, input, (failure) => this.#ended(hook, failure));
      if (!runs && !this.#dropping) this.ports.tell(dropped());
      this.#dropping = !runs;
    }
  }

  #ended(hook: Hook, failure: HookFailure | null): void {
    const before = this.#failing.get(hook);
    if (!failure) this.#failing.delete(hook);
    else this.#failing.set(hook, failure.words);
    if (failure && failure.words !== before) this.ports.tell(failed(hook, failure));
  }

  #lastMessage(turnId: string): string | null {
    const said = this.ports
      .state()
      .items.findLast((item) => item.type === 'agentMessage' && item.turnId === turnId);
    return said?.type === 'agentMessage' ? cut(said.text) : null;
  }
}

function askFacts({ id, kind, questions, approval }: Ask): object {
  return {
    ...{ id, kind },
    ...(questions ? { questions: questions.map(({ question }) => cut(question)) } : {}),
    ...(approval ? { what: approval.what } : {}),
    ...(approval?.command === undefined ? {} : { command: cut(approval.command) }),
    ...(approval?.reason === undefined ? {} : { reason: cut(approval.reason) }),
  };
}

function failed({ event, command }: Hook, { words, ...about }: HookFailure): Notice {
  const [program = ''] = command;
  const text = `The hook ${program} for ${event} ${words}.`;
  return notice('warning', 'hook.failed', text, { details: { event, command: program, ...about } });
}

function dropped(): Notice {
  const text = 'The hooks of this session do not keep up with what happens: they are not told of all of it.';
  return notice('warning', 'hook.dropped', text);
}

function cut(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text;
}
