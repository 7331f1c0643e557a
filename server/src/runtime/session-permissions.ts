/**
 * What one session may do: what people have set for it, else its workspace, else the configuration. Read anew
 * whenever something is about to run, so that a change holds from the next command on.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPatch } from '@tscodex/shared/events';
import type { Grants, Held, Permissions } from '@tscodex/shared/permissions';
import type { Policy } from '../approvals/decide.ts';
import type { Config } from '../base/config/config.ts';
import { Failure } from '../base/errors.ts';
import { isWithin } from '../base/paths.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { mountPlan, type Place, placeOf } from '../exec/sandbox/mount-plan.ts';
import { placesOf } from '../exec/sandbox/places.ts';
import { realPlace } from '../exec/sandbox/real-place.ts';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { secretPlaces } from '../exec/sandbox/secret-places.ts';
import type { NeverPlaces } from '../tools/grants.ts';
import { confinementOf, everWritable, type SessionPlace } from './session-confinement.ts';

/** What a session's workspace says for it. */
export type WorkspaceRules = {
  /** null while it is broken or gone. */
  dir: string | null;
  permissions: Partial<Permissions>;
  /** The directories of the other workspaces. */
  otherDirs: readonly string[];
};

/** What people have set for one session; null: nothing. */
export type OwnPermissions = { [K in keyof Permissions]: Permissions[K] | null };

/** Files of this server that lie where whoever started it has put them. All absolute. */
export type ServerFiles = {
  /** What no command sees: what logs in here or elsewhere. */
  secret: readonly string[];
  /** What no command changes: what says what this server does. */
  kept: readonly string[];
};

export type PermissionServices = {
  config: Config;
  sandbox: Pick<Sandbox, 'problem'>;
  stateDir: string;
  /** Where the program of this server lies. */
  codeDir: string;
  files: ServerFiles;
  /** Whose keys lie where commands of this directory could reach them. */
  homes(directory: string): readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Of a session that an agent has started: what people have set where it was started. */
  inherited?: () => OwnPermissions;
};

export class SessionPermissions {
  #own: OwnPermissions;
  /**
   * Where commands may write is resolved once: a command of another session could put a link in its place later, and
   * is not followed then.
   */
  readonly #resolved: { tmp: string; tmpdir: string | null; writableRoots: readonly string[] };
  #workspaceDir: string | null;

  constructor(
    private readonly session: OwnPermissions & { cwd: string },
    private readonly workspace: () => WorkspaceRules,
    private readonly services: PermissionServices,
  ) {
    const { sandbox, approval, network } = session;
    this.#own = { sandbox, approval, network };
    const { env, config } = services;
    this.#resolved = {
      tmp: real('/tmp'),
      // one that is not there is no place to write
      tmpdir: env.TMPDIR && existsSync(env.TMPDIR) ? real(env.TMPDIR) : null,
      writableRoots: config.sandbox.writableRoots.map(real),
    };
    this.#workspaceDir = workspace().dir;
  }

  get current(): Permissions {
    return effective(this.services.config.permissions, this.workspace().permissions, this.#set);
  }

  /** What it would be where nothing was set for the session alone. */
  get #given(): Permissions {
    return effective(this.services.config.permissions, this.workspace().permissions);
  }

  /** What people see of it in the session's state. */
  get shown() {
    return {
      ...heldBy(this.current, this.services.sandbox),
      ownPermissions: this.#saidAlone,
      givenPermissions: this.#given,
    } satisfies SessionPatch;
  }

  get #set(): OwnPermissions {
    return this.services.inherited?.() ?? this.#own;
  }

  get #saidAlone(): Partial<Permissions> {
    return Object.fromEntries(Object.entries(this.#set).filter(([, value]) => value !== null));
  }

  get policy(): Omit<Policy, 'granted'> {
    const { sandbox, approval } = this.current;
    const { config, sandbox: machine } = this.services;
    return { sandbox, approval, unattended: config.unattended, confined: machine.problem === null };
  }

  /** What nobody may allow; a workspace that lies in such a place is its sessions' all the same. */
  get never(): NeverPlaces {
    const { stateDir, codeDir, config, files } = this.services;
    const places = [stateDir, config.codexHome, codeDir].map(real);
    const except = this.#ownDirs.filter((dir) => places.some((place) => isWithin(dir, place)));
    return { places, except, files: [...files.secret, ...files.kept].map(real) };
  }

  /**
   * What differs from "can be read" for a command of this session that these hold, whether this machine can hold one or
   * not. Throws what `obstacle` tells.
   */
  placesUnder(permissions: Permissions): Place[] {
    return this.#planOf(confinementOf(permissions, this.#place, {})) ?? [];
  }

  /** The user that its commands run as. */
  get commandUid(): number {
    return uidFor(this.session.cwd);
  }

  /** Where confined commands may write without being asked about. */
  get writableRoots(): readonly string[] {
    return this.confinement({})?.roots ?? [];
  }

  /** Where commands may write in some mode, of this session or another one. */
  get everWritable(): readonly string[] {
    return everWritable(this.#place);
  }

  /** What holds a command that is given these grants; null: nothing does. */
  confinement(grants: Grants): Confinement | null {
    return this.#confines ? confinementOf(this.current, this.#place, grants) : null;
  }

  get #place(): SessionPlace {
    const { config, stateDir, codeDir, files, homes } = this.services;
    const { cwd } = this.session;
    const { tmp, tmpdir, writableRoots } = this.#resolved;
    return {
      ...{ cwd, workspaceDir: this.#ownWorkspaceDir, otherDirs: this.workspace().otherDirs },
      secrets: [
        ...homes(cwd).flatMap((home) => secretPlaces(real(home)).map(real)),
        ...files.secret.map(real),
      ],
      kept: [...files.kept, codeDir].map(real),
      stateDir: real(stateDir),
      codexHome: real(config.codexHome),
      codexReadable: ['skills', 'AGENTS.md'].map((name) => join(real(config.codexHome), name)),
      ...{ tmp, tmpdir, settings: { ...config.sandbox, writableRoots } },
    };
  }

  /** Those of the paths (absolute, resolved) that such a command could not write; none where nothing holds it. */
  outside(paths: readonly string[], grants: Grants): string[] {
    const plan = this.#plan(grants);
    return plan ? paths.filter((path) => placeOf(path, plan)?.access !== 'write') : [];
  }

  /** Tells of paths (absolute, resolved) whether such a command, begun now, could not see them. */
  hiding(grants: Grants): (path: string) => boolean {
    const plan = this.#plan(grants);
    return (path) => plan !== null && placeOf(path, plan)?.access === 'hidden';
  }

  /**
   * As `hiding`, but of a command that is held, whether any is held now or not: nobody is asked before this server
   * reads a file for the model.
   */
  get concealing(): (path: string) => boolean {
    const plan = this.#planOf(confinementOf({ ...this.current, sandbox: 'read-only' }, this.#place, {}));
    return (path) => plan !== null && placeOf(path, plan)?.access === 'hidden';
  }

  /** Why no confined command could start now: a place to write that is gone, or cannot be protected. */
  get obstacle(): Failure | null {
    try {
      this.#plan({});
      return null;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }

  /**
   * Throws `permissions.unattended` for what only whoever starts the server may set, `permissions.inherited` for what
   * is set elsewhere.
   */
  check(change: Partial<OwnPermissions>): void {
    if (Object.keys(change).length === 0) return;
    if (this.services.inherited)
      throw new Failure(
        'conflict',
        'permissions.inherited',
        'A sub-agent may do what the session may that has started it; set it there.',
      );
    const { config } = this.services;
    const after = effective(config.permissions, this.workspace().permissions, { ...this.#own, ...change });
    refuseUnattended(after, config);
  }

  /** Takes what people set, checked and saved: it holds from then on. null: as it is without. */
  change(change: Partial<OwnPermissions>): void {
    this.#own = { ...this.#own, ...change };
  }

  #plan(grants: Grants): Place[] | null {
    return this.#planOf(this.confinement(grants));
  }

  #planOf(confinement: Confinement | null): Place[] | null {
    if (!confinement) return null;
    const { cwd } = this.session;
    return mountPlan(placesOf(confinement, { uid: uidFor(cwd), homes: this.services.homes(cwd) }));
  }

  get #confines(): boolean {
    return heldBy(this.current, this.services.sandbox).confined;
  }

  /**
   * Where its workspace was when the session was loaded, or the first time it was whole; null while it is elsewhere:
   * sessions stay where they were made, and nobody else says where they may write.
   */
  get #ownWorkspaceDir(): string | null {
    const { dir } = this.workspace();
    this.#workspaceDir ??= dir;
    return dir === this.#workspaceDir ? dir : null;
  }

  get #ownDirs(): string[] {
    const dir = this.#ownWorkspaceDir;
    return [this.session.cwd, ...(dir === null ? [] : [dir])];
  }
}

/** Without confinement and without anybody being asked: only whoever runs the server may say so. */
export function refuseUnattended({ sandbox, approval }: Permissions, config: Config): void {
  if (sandbox !== 'danger-full-access' || approval !== 'never' || config.unattended) return;
  throw new Failure(
    'forbidden',
    'permissions.unattended',
    'Full access without ever asking can only be set where the server is started: ' +
      'sandbox_mode and approval_policy in config.toml, or --sandbox and --ask-for-approval.',
  );
}

/** How commands are held by these, as people see it. */
export function heldBy(
  { sandbox, approval, network }: Permissions,
  { problem }: Pick<Sandbox, 'problem'>,
): Held {
  return {
    ...{ approvalPolicy: approval, sandboxMode: sandbox, networkAccess: network },
    confined: problem === null && sandbox !== 'danger-full-access',
    sandboxProblem: problem,
  };
}

/** Each setting by itself: the session's own, else the workspace's, else the configuration's. */
export function effective(
  configured: Permissions,
  workspace: Partial<Permissions>,
  own: Partial<OwnPermissions> = {},
): Permissions {
  return {
    sandbox: own.sandbox ?? workspace.sandbox ?? configured.sandbox,
    approval: own.approval ?? workspace.approval ?? configured.approval,
    network: own.network ?? workspace.network ?? configured.network,
  };
}

/** The user that commands in a directory run as. */
function uidFor(directory: string): number {
  const own = process.getuid?.() ?? 0;
  return own === 0 ? (realPlace(directory)?.uid ?? own) : own;
}

/** With links resolved; as it is written where there is nothing. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
