/** What holds the commands of one session: from its settings, its place and what people have allowed. Pure. */
import type { Grants, Permissions } from '@tscodex/shared/permissions';
import type { SandboxSettings } from '../base/config/config.ts';
import { isWithin } from '../base/paths.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';

/** All paths absolute, links resolved. */
export type SessionPlace = {
  cwd: string;
  /** Of its workspace; null where that is broken or gone. */
  workspaceDir: string | null;
  /** The directories of the other workspaces. */
  otherDirs: readonly string[];
  stateDir: string;
  codexHome: string;
  /** Of `codexHome`, what agents may read. */
  codexReadable: readonly string[];
  /** Where keys lie: of the home of whom commands run as. */
  secrets: readonly string[];
  /** What of this server's own lies where a workspace may be, and stays as it is. */
  kept: readonly string[];
  /** Where `/tmp` is. */
  tmp: string;
  /** What TMPDIR names; null where it names nothing. */
  tmpdir: string | null;
  settings: SandboxSettings;
};

/** null: nothing holds them. The machine is asked elsewhere whether it can. */
export function confinementOf(
  { sandbox, network }: Permissions,
  place: SessionPlace,
  grants: Grants,
): Confinement | null {
  if (sandbox === 'danger-full-access' || grants.unconfined) return null;
  const writes = sandbox === 'workspace-write';
  return {
    mode: sandbox,
    network: (writes && network) || grants.network === true,
    unixSockets: place.settings.unixSockets,
    roots: writes ? rootsOf(place) : [],
    write: grants.write ?? [],
    hidden: hiddenFrom(place),
    // the directory of a first workspace lies in the hidden state directory
    readable: [...(writes ? [] : ownDirs(place)), ...place.codexReadable, ...(grants.read ?? [])],
    kept: place.kept,
  };
}

/** Where commands of this session or another one may write in some mode: what lies there may be an agent's. */
export function everWritable(place: SessionPlace): string[] {
  return [...new Set([...ownDirs(place), ...rootsOf(place), ...place.otherDirs])];
}

/** The whole workspace where the session works in a part of it: its board lies beside that part. */
function rootsOf({ cwd, workspaceDir, tmp, tmpdir, settings }: SessionPlace): string[] {
  const inside = workspaceDir !== null && isWithin(cwd, workspaceDir);
  return [
    ...(inside && workspaceDir !== cwd ? [workspaceDir] : []),
    cwd,
    ...settings.writableRoots,
    ...(settings.slashTmp ? [tmp] : []),
    ...(settings.tmpdir && tmpdir !== null ? [tmpdir] : []),
  ].filter((root, n, all) => all.indexOf(root) === n);
}

function ownDirs({ cwd, workspaceDir }: Pick<SessionPlace, 'cwd' | 'workspaceDir'>): string[] {
  return workspaceDir === null || workspaceDir === cwd ? [cwd] : [cwd, workspaceDir];
}

/** Another workspace within the own one is part of it, one around it is not hidden from what it contains. */
function hiddenFrom({ cwd, workspaceDir, otherDirs, stateDir, codexHome, secrets }: SessionPlace): string[] {
  const own = ownDirs({ cwd, workspaceDir });
  const apart = (dir: string) => !own.some((place) => isWithin(dir, place) || isWithin(place, dir));
  return [stateDir, codexHome, ...secrets, ...otherDirs.filter(apart)];
}
