/** Where the configuration comes from, and what of it the command line says: that wins over all files. */
import type { ApprovalPolicy, SandboxMode } from '@tscodex/shared/permissions';
import { Failure } from '../errors.ts';
import { type ConfigLayer, joinLayers, NO_LAYER, readLayer } from './config-layer.ts';
import { readOverrides } from './config-overrides.ts';
import type { Env } from './dotenv.ts';

/** Where the configuration comes from. */
export type ConfigSource = {
  codexHome: string;
  /** Instead of `config.toml` in `codexHome`; absolute. It must exist. */
  configPath?: string | undefined;
  profile?: string | undefined;
  env: Env;
  /** From the command line: they win. */
  overrides?: readonly string[];
  /** Where relative paths of `overrides` begin. */
  cwd: string;
  sandboxMode?: SandboxMode | undefined;
  approvalPolicy?: ApprovalPolicy | 'on-failure' | undefined;
  systemPrompt?: string | undefined;
  toolset?: readonly string[] | undefined;
  /** The names of all tools; asked for where a toolset is written. */
  toolNames(): Promise<readonly string[]>;
  /** Variables that hold keys of providers, to be kept from children. */
  hide(names: readonly string[]): void;
};

/** The layer above all files; flags above `-c`. Throws `flags`, `config.type` and `config.tool`. */
export async function readCommandLine(source: ConfigSource): Promise<ConfigLayer> {
  const { overrides = [], cwd, sandboxMode, approvalPolicy, toolset } = source;
  const flag = (from: string, table: Record<string, unknown>) => readLayer({ from, table, folder: cwd });
  const written = readOverrides(overrides, cwd);
  const flags = [
    ...(sandboxMode === undefined ? [] : [flag('--sandbox', { sandbox_mode: sandboxMode })]),
    ...(approvalPolicy === undefined
      ? []
      : [flag('--ask-for-approval', { approval_policy: approvalPolicy })]),
  ];
  const tools = toolset === undefined ? NO_LAYER : flag('--toolset', { tscodex: { toolset } });
  await expectTools(written, '-c', source);
  await expectTools(tools, '--toolset', source);
  return joinLayers([written, ...flags, tools]);
}

/** `from`: what the layer is called. Throws `config.tool` where its toolset names what is no tool. */
export async function expectTools(
  layer: ConfigLayer,
  from: string,
  { toolNames }: ConfigSource,
): Promise<void> {
  const toolset = layer.settings.tscodex?.toolset;
  if (toolset === undefined) return;
  const known = await toolNames();
  const unknown = toolset.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Failure(
    'invalid',
    'config.tool',
    `${from}: unknown in the toolset: ${unknown.join(', ')}; there are ${known.join(', ')}`,
    { details: { place: from, unknown: unknown.join(', '), known: known.join(', ') } },
  );
}
