/** What people set for a session: title, model, directory, what its commands may do. Saved, then told to all. */
import { isDeepStrictEqual } from 'node:util';
import type { EventBody } from '@tscodex/shared/events';
import type { Notice } from '@tscodex/shared/items';
import { lacks } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionChange } from '@tscodex/shared/workspace';
import type { AgentBackend } from '../backends/backend.ts';
import { Failure } from '../base/errors.ts';
import { checkEffort, keptEffort } from './efforts.ts';
import { notice } from './notice.ts';
import type { SessionPermissions } from './session-permissions.ts';
import type { SessionStore } from './session-store.ts';
import { titleOf } from './title.ts';

export type SettingsPorts = {
  store: Pick<SessionStore, 'update'>;
  permissions: SessionPermissions;
  /** Where the session works, as everybody in it reads it. */
  place: WorkingPlace;
  /** The efforts that a model takes, and the one that is configured. */
  efforts: Efforts;
  backend(): AgentBackend;
  state(): SessionState;
  /** Whether a turn runs. */
  isRunning(): boolean;
  emit(event: EventBody): void;
  /** Somebody has given the session this title. */
  titled(title: string): void;
  onChange(): void;
};

/** Where the commands of a session start, as of now. */
export type WorkingPlace = {
  cwd: string;
  /** What a person names, as a directory of the workspace. Throws `session.cwd-missing`, `session.cwd-outside`. */
  find(asked: string): Promise<string>;
};

export type Efforts = {
  /** undefined where that is not known. */
  of(model: string): readonly string[] | undefined;
  configured: string | undefined;
};

export class SettingsChanges {
  /** They follow one another: what is saved last holds. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly ports: SettingsPorts) {}

  /**
   * Throws `session.busy` and `session.cwd-busy` where model or directory are to change in a running turn, what is not
   * allowed, what the disk refuses; nothing has changed then.
   */
  change(change: SessionChange, by: string | null): Promise<void> {
    const done = this.#last.then(() => this.#change(change, by));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** It is called so already: by its first message, or by whoever named it elsewhere. */
  async renamed(title: string): Promise<void> {
    const { store, state, emit, onChange } = this.ports;
    if (title === state().title) return;
    await store.update({ title });
    emit({ type: 'session.updated', patch: { title } });
    onChange();
  }

  /** What the session may do may have changed, or whether this machine can confine it. */
  showPermissions(): void {
    const { permissions, state, emit } = this.ports;
    const { shown } = permissions;
    if (!isDeepStrictEqual(shown, pickKeys(state(), shown))) emit({ type: 'session.updated', patch: shown });
  }

  async #change(change: SessionChange, by: string | null): Promise<void> {
    const { store, permissions: held, emit } = this.ports;
    const { title, position: _, model, effort, cwd: asked, ...settings } = change;
    const permissions = defined(settings);
    const forModel = this.#modelChange(model, effort);
    const cwd = await this.#moveTo(asked);
    if (forModel && this.ports.isRunning())
      throw new Failure(
        'conflict',
        'session.busy',
        'The model can be changed once the running turn has ended; /stop ends it.',
      );
    held.check(permissions);
    const { backend, efforts, place, onChange } = this.ports;
    const changeAgent =
      forModel && backend().change({ ...forModel, effort: forModel.effort ?? efforts.configured });
    const patch = {
      ...forModel,
      ...(cwd === undefined ? {} : { cwd }),
      ...(title === undefined ? {} : { title: titleOf(title) }),
    };
    if (Object.keys({ ...patch, ...permissions }).length === 0) return;
    await store.update({ ...patch, ...permissions });
    changeAgent?.();
    held.change(permissions);
    if (cwd !== undefined) place.cwd = cwd;
    if (Object.keys(patch).length > 0) emit({ type: 'session.updated', patch });
    if (patch.title) this.ports.titled(patch.title);
    if (cwd !== undefined) this.#tellPlace(cwd, by);
    if (Object.keys(permissions).length > 0) this.#tellPermissions(by);
    onChange();
  }

  /** undefined: nothing of the model changes. An effort that another model does not take goes. */
  #modelChange(model: string | undefined, effort: string | undefined) {
    if (model === undefined && effort === undefined) return undefined;
    const state = this.ports.state();
    const name = model ?? state.model ?? '';
    const known = this.ports.efforts.of(name);
    if (effort) checkEffort(name, effort, known);
    const asked = effort === undefined ? keptEffort(state.effort, known) : effort || null;
    return { ...(model === undefined ? {} : { model }), effort: asked };
  }

  /** undefined: it stays where it is. */
  async #moveTo(asked: string | undefined): Promise<string | undefined> {
    if (asked === undefined) return undefined;
    const { place, isRunning } = this.ports;
    const cwd = await place.find(asked);
    if (cwd === place.cwd) return undefined;
    if (!isRunning()) return cwd;
    throw new Failure(
      'conflict',
      'session.cwd-busy',
      'The directory can be changed once the running turn has ended; /stop ends it.',
    );
  }

  #tellPlace(cwd: string, by: string | null): void {
    const text = `${by ?? 'Somebody'} changed the directory: commands start in ${cwd} from here on.`;
    const details = { by, cwd };
    this.ports.emit({ type: 'item.completed', item: notice('info', 'session.cwd', text, { details }) });
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
    if (this.ports.isRunning() && lacks(this.ports.state().backend, 'tighten'))
      this.ports.emit({ type: 'item.completed', item: fromNextTurn() });
  }
}

function fromNextTurn(): Notice {
  const text =
    'Codex goes through the running turn with what was set before; this holds from the next one on. Stop ends this one.';
  return notice('warning', 'session.permissionsNext', text);
}

/** Without what is undefined. */
function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function pickKeys(from: object, like: object): object {
  const wanted = new Set(Object.keys(like));
  return Object.fromEntries(Object.entries(from).filter(([key]) => wanted.has(key)));
}
