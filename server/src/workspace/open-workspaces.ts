/** The workspaces of the list as they are right now: their boards and directories are watched. */
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import { watchPath } from '../base/path-watch.ts';
import type { WorkspaceRules } from '../runtime/session-permissions.ts';
import { prepareBoardPlace } from './board.ts';
import { watchBoard } from './board-watch.ts';
import type { WorkspaceEntry } from './config-file.ts';

export type OpenWorkspace = WorkspaceEntry & { boardVersion: string | null };

type Watched = { entry: WorkspaceEntry; workspace: OpenWorkspace; stop(): void };

export class OpenWorkspaces {
  #watched = new Map<string, Watched>();

  /** `changed`: something that is shown; `directoryStirred`: a directory may have come or gone. */
  constructor(private readonly tell: { changed(): void; directoryStirred(): void }) {}

  /** Takes a new list, in its order. What stays as it was is left alone. Returns the ids that came and went. */
  update(entries: readonly WorkspaceEntry[]): { came: string[]; went: string[] } {
    const before = this.#watched;
    this.#watched = new Map(entries.map((entry) => [entry.id, this.#kept(before.get(entry.id), entry)]));
    for (const [id, old] of before) if (this.#watched.get(id) !== old) old.stop();
    this.tell.changed();
    return {
      came: [...this.#watched.keys()].filter((id) => !before.has(id)),
      went: [...before.keys()].filter((id) => !this.#watched.has(id)),
    };
  }

  get ids(): string[] {
    return [...this.#watched.keys()];
  }

  has(workspaceId: string): boolean {
    return this.#watched.has(workspaceId);
  }

  /** Throws `workspace.unknown`. */
  get(workspaceId: string): OpenWorkspace {
    const found = this.#watched.get(workspaceId);
    if (found) return found.workspace;
    throw new Failure('notFound', 'workspace.unknown', `There is no workspace ${workspaceId}.`);
  }

  /** Of all workspaces, the broken ones as well: what is wrong with one may be its own agents' doing. */
  get places(): string[] {
    return [...this.#watched.values()].flatMap(({ entry }) => entry.place || []);
  }

  /** What those workspaces that say so have their sessions driven by. */
  get backends(): Backend[] {
    return [...this.#watched.values()].flatMap(({ entry }) => entry.backend ?? []);
  }

  /** What a workspace says for its sessions; one that is not in the list says nothing. */
  rules(workspaceId: string): WorkspaceRules {
    const entry = this.#watched.get(workspaceId)?.entry;
    const dir = !entry || entry.fault ? null : entry.dir;
    const otherDirs = this.places.filter((place) => place !== dir);
    return { dir, permissions: entry?.permissions ?? {}, otherDirs };
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop();
  }

  #kept(old: Watched | undefined, entry: WorkspaceEntry): Watched {
    return old && isDeepStrictEqual(old.entry, entry) ? old : this.#open(entry, old?.workspace);
  }

  #open(entry: WorkspaceEntry, before: OpenWorkspace | undefined): Watched {
    const { enabled, path: boardPath } = entry.board;
    const known = enabled && before?.board.path === boardPath ? before.boardVersion : null;
    const workspace: OpenWorkspace = { ...entry, boardVersion: known };
    const places = new Set([entry.path, entry.fault ? '' : entry.dir]);
    places.delete('');
    const stops = [...places].map((place) => watchPath(place, this.tell.directoryStirred));
    if (enabled) {
      void this.#prepareBoard(workspace);
      stops.push(
        // a place that somebody takes away is not made again, one that could not be made is
        watchPath(dirname(boardPath), () => workspace.problem && void this.#prepareBoard(workspace)),
        watchBoard(boardPath, known, (version) => {
          workspace.boardVersion = version;
          this.tell.changed();
        }),
      );
    }
    return { entry, workspace, stop: () => stops.forEach((stop) => void stop()) };
  }

  async #prepareBoard(workspace: OpenWorkspace): Promise<void> {
    try {
      await prepareBoardPlace(workspace.board.path);
      if (!workspace.problem) return;
      delete workspace.problem;
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return; // the whole directory went meanwhile: it is told as that
      const place = dirname(workspace.board.path);
      const way = `name another "board" in its entry, or switch it off with "enable_board": false`;
      const [name, dir] = [basename(place), dirname(place)];
      workspace.problem = {
        code: 'entry.boardPlace',
        message: `${name} for its board cannot be made in ${dir} (${code}): ${way}`,
        details: { name, dir, reason: code },
      };
    }
    this.tell.changed();
  }
}
