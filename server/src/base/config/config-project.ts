/**
 * `.codex/config.toml` of a project: of the top of its repository and of every directory on the way down to where a
 * session works. Read only where the user trusts the directory and no command of an agent could have written it; it
 * says how to work there, not whom to believe.
 */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { approvalPolicy, sandboxMode } from '@tscodex/shared/permissions';
import type { Problem } from '@tscodex/shared/workspace';
import { isWithin } from '../paths.ts';
import {
  type ConfigLayer,
  type LayerSettings,
  type LayerSource,
  NO_LAYER,
  noticeAt,
  readLayer,
} from './config-layer.ts';
import { settings as allSettings } from './config-schema.ts';
import type { TomlFile } from './toml-file.ts';

type Projects = NonNullable<LayerSettings['projects']>;

/**
 * What a project may set. All else is for the user alone: providers and keys, programs, what commands see and reach,
 * and which file agents are told: this server may read what a project's people may not.
 */
const OF_PROJECTS = new Set([
  ...['model', 'model_reasoning_effort', 'model_reasoning_summary', 'model_verbosity', 'service_tier'],
  ...['model_context_window', 'model_auto_compact_token_limit', 'compact_prompt', 'personality'],
  ...['base_instructions', 'developer_instructions', 'user_instructions'],
  ...['project_doc_max_bytes', 'project_doc_fallback_filenames', 'tools', 'approval_policy', 'sandbox_mode'],
]);

export type ProjectPlace = {
  /** Absolute, without links on the way. */
  directory: string;
  projects: Projects;
  /** The directories of workspaces: commands write there, but not in `.codex` directly in one. Absolute. */
  workspaces: readonly string[];
  /** Where commands may write beside their workspace; other workspaces are hidden there. Absolute. */
  writableRoots: readonly string[];
  /** The user's own file, which may lie on the way. */
  ownFile: string;
};

/** The files to read, the outermost first, whether they exist or not, and what is to be said of those that are not. */
export async function projectFiles(place: ProjectPlace): Promise<{ files: string[]; notices: Problem[] }> {
  const { directory } = place;
  const folders = await fromRepositoryDown(directory);
  const { levels: trust, links } = await trustOf(place.projects);
  const [root = directory] = folders;
  const workspaces = await Promise.all(place.workspaces.map(real));
  const roots = await Promise.all(place.writableRoots.map(real));
  const own = await real(place.ownFile);
  const files: string[] = [];
  const notices: Problem[] = [];
  for (const folder of folders) {
    const file = join(folder, '.codex', 'config.toml');
    if (file === own) continue;
    const level = trust.get(folder) ?? trust.get(root);
    const trusted = links.has(folder) ? folder : root;
    const link = links.get(trusted);
    const leftOut = (code: string, said: string, details: Record<string, string> = {}) =>
      notices.push({ code, message: `${file} is not read: ${said}`, details: { file, folder, ...details } });
    const exists = (await lstat(file).catch(() => null)) !== null;
    const problem = level === 'trusted' ? await whyNotTrustworthy(file, folder, { workspaces, roots }) : null;
    if (level === 'trusted' && problem === null) files.push(file);
    else if (exists && problem !== null) leftOut(problem.code, problem.said);
    else if (exists && level === undefined && link !== undefined)
      leftOut(
        'config.trustLink',
        `the trust in ${link} counts for no directory that it leads to by a link; write [projects.${JSON.stringify(trusted)}]`,
        { link, trusted },
      );
    else if (exists && level === undefined)
      leftOut(
        'config.untrusted',
        `to trust it, put [projects.${JSON.stringify(folder)}] trust_level = "trusted" into config.toml`,
      );
  }
  return { files, notices };
}

/** What a project's file says, and where it says so. */
export type ProjectLayer = { layer: ConfigLayer; source: LayerSource };

/** Of a project's file what a project may set. Throws `config.type`. */
export function readProjectLayer(toml: TomlFile): ProjectLayer {
  const source: LayerSource = { from: toml.file, ...toml, folder: dirname(toml.file) };
  const layer = readLayer(source);
  const notices = [...layer.notices];
  const settings = { ...layer.settings };
  for (const key of Object.keys(toml.table)) {
    if (OF_PROJECTS.has(key) || !Object.hasOwn(allSettings.shape, key)) continue;
    delete settings[key as keyof LayerSettings];
    notices.push(
      noticeAt(source, [key], 'config.projectKey', `${key} is for your own config.toml: it is left out here`),
    );
  }
  return { layer: { ...NO_LAYER, settings, notices }, source };
}

/** Of it what may hold above `below`, which says how loosely commands are held without it. */
export function stricterThan(below: LayerSettings, { layer, source }: ProjectLayer): ConfigLayer {
  const settings = { ...layer.settings };
  const notices = [...layer.notices];
  for (const key of ['sandbox_mode', 'approval_policy'] as const) {
    const value = settings[key];
    if (value === undefined || loosenessOf(key, value) <= loosenessOf(key, below[key])) continue;
    delete settings[key];
    const said = `a project may only make ${key} stricter: ${JSON.stringify(value)} is left out`;
    notices.push(noticeAt(source, [key], 'config.looser', said, { value }));
  }
  return { ...layer, settings, notices };
}

/** The higher, the more runs without being asked about. */
function loosenessOf(key: 'sandbox_mode' | 'approval_policy', value: string | undefined): number {
  const [order, usual] =
    key === 'sandbox_mode'
      ? [sandboxMode.options, 'workspace-write' as const]
      : [approvalPolicy.options, 'on-request' as const];
  return (order as readonly string[]).indexOf(value ?? usual);
}

/** null: nobody but people can have written it. */
async function whyNotTrustworthy(
  file: string,
  folder: string,
  { workspaces, roots }: { workspaces: readonly string[]; roots: readonly string[] },
): Promise<{ code: string; said: string } | null> {
  if ((await real(file)) !== file)
    return {
      code: 'config.projectLink',
      said: 'it is a link, or lies behind one; put the file itself there',
    };
  const isKept = (place: string) => isWithin(file, join(place, '.codex'));
  const apart = (place: string) => !isWithin(file, place) || isKept(place);
  if (workspaces.every(apart) && (workspaces.some(isKept) || roots.every(apart))) return null;
  return {
    code: 'config.projectWritable',
    said: `commands of agents can write in ${folder}; make that the directory of a workspace, or trust no file there`,
  };
}

type Trust = {
  levels: Map<string, 'trusted' | 'untrusted'>;
  /** By the directories they lead to: the keys that trust nothing. */
  links: Map<string, string>;
};

/** Where a key names nothing any more, commands could put a link to a directory of theirs: none is followed to trust. */
async function trustOf(projects: Projects): Promise<Trust> {
  const levels: Trust['levels'] = new Map();
  const links: Trust['links'] = new Map();
  for (const [key, { trust_level: level }] of Object.entries(projects)) {
    const found = await real(key);
    if (level === 'untrusted') levels.set(found, level);
    else if (level === 'trusted' && found !== resolve(sep, key)) links.set(found, key);
    else if (level === 'trusted' && !levels.has(found)) levels.set(found, level);
  }
  return { levels, links };
}

/** The directory alone where there is no repository. */
async function fromRepositoryDown(directory: string): Promise<string[]> {
  const folders: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    folders.unshift(at);
    if (await isRepository(join(at, '.git'))) return folders;
    if (at === dirname(at)) return [directory];
  }
}

/** Git passes over an empty directory, too: one may keep the place of a repository that a command is not to make. */
async function isRepository(git: string): Promise<boolean> {
  const isThere = (path: string) =>
    lstat(path).then(
      (found) => found,
      () => null,
    );
  return (await isThere(git))?.isFile() === true || (await isThere(join(git, 'HEAD'))) !== null;
}

/** With links resolved; as it is written where there is nothing. */
function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
