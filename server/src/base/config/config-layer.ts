/** One layer of the configuration: a file's tables or a profile, checked by itself, and how layers lie on one another. */
import { resolve } from 'node:path';
import { type ApprovalPolicy, approvalPolicy } from '@tscodex/shared/permissions';
import type { Problem } from '@tscodex/shared/workspace';
import { Failure } from '../errors.ts';
import { type Fault, faultsOf } from './config-faults.ts';
import { type Hooks, readHooks } from './config-hooks.ts';
import { meantBy, type UnknownKey, unknownKeys } from './config-keys.ts';
import { type Settings, settings } from './config-schema.ts';
import { type McpServer, readMcpServers } from './mcp-settings.ts';
import { type KeyPath, type TomlPlaces, writtenKey } from './toml-places.ts';

/** Paths are absolute, approvals are one of ours. */
export type LayerSettings = Omit<Settings, 'hooks' | 'mcp_servers' | 'approval_policy'> & {
  approval_policy?: ApprovalPolicy;
};

export type ConfigLayer = Hooks & {
  settings: LayerSettings;
  mcpServers: readonly McpServer[];
  /** What is left out, or meant otherwise than it is written. */
  notices: readonly Problem[];
};

export type LayerSource = {
  /** A file, or how the command line calls it. */
  from: string;
  table: unknown;
  /** Where relative paths begin. */
  folder: string;
  /** Of the file; for the lines of what is wrong. */
  places?: TomlPlaces;
  /** The keys under which the table lies in its file. */
  within?: KeyPath;
};

/** Of one layer. */
const MOST_NOTICES = 20;

export const NO_LAYER: ConfigLayer = { settings: {}, hooks: [], codexHooks: [], mcpServers: [], notices: [] };

/** Throws `config.type`, which names what is of the wrong type. */
export function readLayer(source: LayerSource): ConfigLayer {
  const { data, error } = settings.safeParse(source.table);
  const within = source.within ?? [];
  const unknown = unknownKeys(source.table, within);
  if (!data) throw wrongTypes(source, faultsOf(error, source.table, within), unknown);
  const { hooks: hookTable, mcp_servers, approval_policy, ...rest } = data;
  const { hooks, codexHooks, faults } = readHooks(hookTable);
  const { servers, faults: serverFaults } = readMcpServers(mcp_servers);
  const approval = approvalPolicy.safeParse(approval_policy).data;
  const leftOut = [...faults, ...serverFaults].map(({ path, reason }) => ({
    ...{ path: [...within, ...path], reason },
  }));
  return {
    settings: {
      ...withAbsolutePaths(rest, source.folder),
      ...(approval_policy === undefined ? {} : { approval_policy: approval ?? 'on-request' }),
    },
    ...{ hooks, codexHooks, mcpServers: servers },
    notices: firstOf(source.from, [
      ...(approval_policy !== undefined && approval === undefined ? [() => onRequestInstead(source)] : []),
      ...unknown.map((one) => () => {
        const meant = meantBy(one);
        const said = `${writtenKey(one.path)} is unknown${meant === null ? '' : `; did you mean ${meant}?`}`;
        return noticeAt(source, one.path, 'config.unknownKey', said, { nearest: meant });
      }),
      ...leftOut.map(({ path, reason }) => () => {
        const said = `${writtenKey(path)}: ${reason}: this entry is left out`;
        return noticeAt(source, path, 'config.leftOut', said, { reason });
      }),
    ]),
  };
}

/** A file that is full of what nobody knows takes no more work, and no more of a page, than a few lines. */
function firstOf(from: string, notices: readonly (() => Problem)[]): Problem[] {
  const told = notices.slice(0, MOST_NOTICES).map((notice) => notice());
  const more = notices.length - told.length;
  if (more === 0) return told;
  const message = `${from}: and ${more} more that are left out or unknown`;
  return [...told, { code: 'config.more', message, details: { place: from, more } }];
}

/** Later layers win: tables are joined key by key, and every hook holds. */
export function joinLayers(layers: readonly ConfigLayer[]): ConfigLayer {
  const servers = layers.flatMap(({ mcpServers }) => mcpServers);
  return {
    settings: layers.reduce<LayerSettings>(
      (below, layer) => joined(below, layer.settings) as LayerSettings,
      {},
    ),
    hooks: layers.flatMap(({ hooks }) => hooks),
    codexHooks: layers.flatMap(({ codexHooks }) => codexHooks),
    mcpServers: [...new Map(servers.map((server) => [server.name, server])).values()],
    notices: layers.flatMap(({ notices }) => notices),
  };
}

/** A notice about a key of a layer: where it is, then `said`. */
export function noticeAt(
  { from, places }: Pick<LayerSource, 'from' | 'places'>,
  path: KeyPath,
  code: string,
  said: string,
  details: Record<string, unknown> = {},
): Problem {
  const place = placed(from, places, path);
  return { code, message: `${place}: ${said}`, details: { place, key: writtenKey(path), ...details } };
}

function wrongTypes(
  { from, places }: LayerSource,
  found: readonly Fault[],
  unknown: readonly UnknownKey[],
): Failure {
  const faults = found.slice(0, MOST_NOTICES).map((fault) => misspelt(fault, unknown) ?? fault);
  const sentences = faults.map(
    ({ path, reason }) =>
      `${placed(from, places, path)}: ${path.length > 0 ? `${writtenKey(path)}: ` : ''}${reason}`,
  );
  const [first] = faults;
  const details = first && {
    ...{ place: placed(from, places, first.path), key: writtenKey(first.path), reason: first.reason },
  };
  return new Failure('invalid', 'config.type', sentences.join('; '), details ? { details } : {});
}

/** Where a key is missing and the same table has one that looks like it, that is the fault. */
function misspelt({ path, reason }: Fault, unknown: readonly UnknownKey[]): Fault | null {
  if (!reason.endsWith('found nothing')) return null;
  const missing = String(path.at(-1));
  const isBeside = (one: UnknownKey) =>
    one.path.length === path.length && one.path.every((key, i) => i === path.length - 1 || key === path[i]);
  const found = unknown.find((one) => isBeside(one) && meantBy(one) === missing);
  return found ? { path: found.path, reason: `this key is unknown; did you mean ${missing}?` } : null;
}

function placed(from: string, places: TomlPlaces | undefined, path: KeyPath): string {
  const line = places?.lineOf(path);
  return line === undefined ? from : `${from}:${line}`;
}

/** `on-failure` and Codex's table of single cases ask at least as often. */
function onRequestInstead(source: LayerSource): Problem {
  const path = [...(source.within ?? []), 'approval_policy'];
  const said =
    'this approval_policy is taken as "on-request": people are asked when a command is to do more than its sandbox lets it';
  return noticeAt(source, path, 'config.onRequest', said);
}

function withAbsolutePaths<S extends Omit<Settings, 'approval_policy'>>(table: S, folder: string): S {
  const { model_instructions_file: file, sandbox_workspace_write: sandbox } = table;
  const roots = sandbox?.writable_roots;
  return {
    ...table,
    ...(file === undefined ? {} : { model_instructions_file: resolve(folder, file) }),
    ...(roots === undefined
      ? {}
      : {
          sandbox_workspace_write: { ...sandbox, writable_roots: roots.map((root) => resolve(folder, root)) },
        }),
  };
}

function joined(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isTable(below) || !isTable(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  // built from entries: a key may be called __proto__
  return Object.fromEntries([...keys].map((key) => [key, joined(own(below, key), own(above, key))]));
}

function own(table: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
