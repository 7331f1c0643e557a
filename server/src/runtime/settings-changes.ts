/** What people set for a session: its title, its model, what its commands may do. Saved, then told to all. */
import { isDeepStrictEqual } from 'node:util';
import type { EventBody } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionChange } from '@tscodex/shared/workspace';
import type { AgentBackend } from '../backends/backend.ts';
import { Failure } from '../base/errors.ts';
import { notice } from './notice.ts';
import type { SessionPermissions } from './session-permissions.ts';
import type { SessionStore } from './session-store.ts';

export type SettingsPorts = {
  store: Pick<SessionStore, 'update'>;
  permissions: SessionPermissions;
  backend(): AgentBackend;
  state(): SessionState;
  /** Whether a turn runs. */
  isRunning(): boolean;
  emit(event: EventBody): void;
  onChange(): void;
};

export class SettingsChanges {
  /** They follow one another: what is saved last holds. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly ports: SettingsPorts) {}

  /** Throws `session.busy` where the model is to change in a running turn, what is not allowed, what the disk refuses. */
  change(change: SessionChange, by: string | null): Promise<void> {
    const done = this.#last.then(() => this.#change(change, by));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** What the session may do may have changed, or whether this machine can confine it. */
  showPermissions(): void {
    const { permissions, state, emit } = this.ports;
    const { shown } = permissions;
    if (!isDeepStrictEqual(shown, pickKeys(state(), shown))) emit({ type: 'session.updated', patch: shown });
  }

  async #change(change: SessionChange, by: string | null): Promise<void> {
    const { store, permissions: held, emit } = this.ports;
    const { title, position: _, ...settings } = change;
    const { model, effort, ...permissions } = defined(settings);
    const forBackend = defined({ model, effort });
    if (Object.keys(forBackend).length > 0 && this.ports.isRunning())
      throw new Failure(
        'conflict',
        'session.busy',
        'The model can be changed once the running turn has ended; /stop ends it.',
      );
    held.check(permissions);
    this.ports.backend().change(forBackend);
    const patch = { ...forBackend, ...(title === undefined ? {} : { title: title.trim() || null }) };
    if (Object.keys({ ...patch, ...permissions }).length === 0) return;
    await store.update({ ...patch, ...permissions });
    held.change(permissions);
    if (Object.keys(patch).length > 0) emit({ type: 'session.updated', patch });
    if (Object.keys(permissions).length > 0) this.#tellPermissions(by);
    this.ports.onChange();
  }

  #tellPermissions(by: string | null): void {
    this.showPermissions();
    const { sandbox, approval, network } = this.ports.permissions.current;
    const text =
      `${by ?? 'Somebody'} set what commands may do: ` +
      `sandbox ${sandbox}, approvals ${approval}, network ${network ? 'on' : 'off'}.`;
    const details = { by, sandbox, approval, network: network ? 'on' : 'off' };
    this.ports.emit({
      type: 'item.completed',
      item: notice('info', 'session.permissions', text, { details }),
    });
  }
}

/** Without what is undefined. */
function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function pickKeys(from: object, like: object): object {
  const wanted = new Set(Object.keys(like));
  return Object.fromEntries(Object.entries(from).filter(([key]) => wanted.has(key)));
}
