/** One layer of the configuration: a file's tables or a profile, checked by itself, and how layers lie on one another. */
import { resolve } from 'node:path';
import { type ApprovalPolicy, approvalPolicy } from '@tscodex/shared/permissions';
import type { Problem } from '@tscodex/shared/workspace';
import { Failure } from '../errors.ts';
import { type Fault, faultsOf } from './config-faults.ts';
import { type Hooks, readHooks } from './config-hooks.ts';
import { type UnknownKey, unknownKeys } from './config-keys.ts';
import { type Settings, settings } from './config-schema.ts';
import { type McpServer, readMcpServers } from './mcp-settings.ts';
import { type KeyPath, lineOf, writtenKey } from './toml-places.ts';

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
  text?: string;
  /** The keys under which the table lies in its file. */
  within?: KeyPath;
};

export const NO_LAYER: ConfigLayer = { settings: {}, hooks: [], codexHooks: [], mcpServers: [], notices: [] };

/** Throws `config.type`, which names everything of the wrong type. */
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
    notices: [
      ...unknown.map(({ path, key, nearest }) =>
        noticeAt(source, path, 'config.unknownKey', `${key} is unknown${meant(nearest)}`, { nearest }),
      ),
      ...leftOut.map(({ path, reason }) =>
        noticeAt(source, path, 'config.leftOut', `${writtenKey(path)}: ${reason}: this entry is left out`, {
          reason,
        }),
      ),
      ...(approval_policy !== undefined && approval === undefined ? [onRequestInstead(source)] : []),
    ],
  };
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
  { from, text }: Pick<LayerSource, 'from' | 'text'>,
  path: KeyPath,
  code: string,
  said: string,
  details: Record<string, unknown> = {},
): Problem {
  const place = placed(from, text, path);
  return { code, message: `${place}: ${said}`, details: { place, key: writtenKey(path), ...details } };
}

function wrongTypes(
  { from, text }: LayerSource,
  found: readonly Fault[],
  unknown: readonly UnknownKey[],
): Failure {
  const faults = found.map((fault) => misspelt(fault, unknown) ?? fault);
  const sentences = faults.map(
    ({ path, reason }) =>
      `${placed(from, text, path)}: ${path.length > 0 ? `${writtenKey(path)}: ` : ''}${reason}`,
  );
  const [first] = faults;
  const details = first && {
    ...{ place: placed(from, text, first.path), key: writtenKey(first.path), reason: first.reason },
  };
  return new Failure('invalid', 'config.type', sentences.join('; '), details ? { details } : {});
}

/** Where a key is missing and the same table has one that looks like it, that is the fault. */
function misspelt({ path, reason }: Fault, unknown: readonly UnknownKey[]): Fault | null {
  if (!reason.endsWith('found nothing')) return null;
  const missing = writtenKey(path);
  const found = unknown.find(
    (one) => one.nearest !== null && writtenKey([...one.path.slice(0, -1), one.nearest]) === missing,
  );
  return found ? { path: found.path, reason: `this key is unknown${meant(found.nearest)}` } : null;
}

function placed(from: string, text: string | undefined, path: KeyPath): string {
  const line = text === undefined ? undefined : lineOf(text, path);
  return line === undefined ? from : `${from}:${line}`;
}

/** `on-failure` and Codex's table of single cases ask at least as often. */
function onRequestInstead(source: LayerSource): Problem {
  const path = [...(source.within ?? []), 'approval_policy'];
  const said =
    'this approval_policy is taken as "on-request": people are asked when a command is to do more than its sandbox lets it';
  return noticeAt(source, path, 'config.onRequest', said);
}

function meant(nearest: string | null): string {
  return nearest === null ? '' : `; did you mean ${nearest}?`;
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
