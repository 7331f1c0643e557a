/** `[mcp_servers]`: programs and addresses that offer tools. A broken entry is left out and named. */
import * as z from 'zod';
import { type Fault, faultsOf } from './config-faults.ts';

export type McpServer = {
  name: string;
  enabled: boolean;
  startupTimeoutMs: number | null;
  toolTimeoutMs: number | null;
  /** The names of its tools that are offered; null: all. */
  enabledTools: readonly string[] | null;
  disabledTools: readonly string[];
} & (
  | {
      transport: 'stdio';
      command: string;
      args: readonly string[];
      /** As it is written; null: that of the session. */
      cwd: string | null;
      env: Readonly<Record<string, string>>;
      /** Names of variables that it gets as they are. */
      envVars: readonly string[];
    }
  | {
      transport: 'http';
      url: string;
      /** The variable that holds its key. */
      bearerTokenEnvVar: string | null;
      headers: Readonly<Record<string, string>>;
      /** Names of headers, and of the variables whose values they get. */
      envHeaders: Readonly<Record<string, string>>;
    }
);

const strings = z.record(z.string(), z.string());
const seconds = z.number().positive();

/** What an entry of the table may hold. */
export const mcpServerTable = z
  .object({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).default([]),
    cwd: z.string().optional(),
    env: strings.default({}),
    env_vars: z.array(z.string()).default([]),
    url: z.url({ protocol: /^https?$/ }).optional(),
    bearer_token_env_var: z.string().optional(),
    http_headers: strings.default({}),
    env_http_headers: strings.default({}),
    enabled: z.boolean().default(true),
    startup_timeout_sec: seconds.optional(),
    startup_timeout_ms: seconds.optional(),
    tool_timeout_sec: seconds.optional(),
    enabled_tools: z.array(z.string()).optional(),
    disabled_tools: z.array(z.string()).default([]),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    'expected a command or a url',
  );

/** By the names in the table; `faults`: what of it is left out. */
export function readMcpServers(table: unknown): { servers: McpServer[]; faults: Fault[] } {
  if (table === undefined) return { servers: [], faults: [] };
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    return { servers: [], faults: [{ path: ['mcp_servers'], reason: 'expected a table' }] };
  const servers: McpServer[] = [];
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(table)) {
    const { data, error } = mcpServerTable.safeParse(value);
    if (error) faults.push(...faultsOf(error, value, ['mcp_servers', name]));
    else servers.push(serverOf(name, data));
  }
  return { servers, faults };
}

function serverOf(name: string, data: z.output<typeof mcpServerTable>): McpServer {
  const inMs = (value: number | undefined) => (value === undefined ? null : value * 1000);
  const common = {
    ...{ name, enabled: data.enabled, disabledTools: data.disabled_tools },
    enabledTools: data.enabled_tools ?? null,
    startupTimeoutMs: inMs(data.startup_timeout_sec) ?? data.startup_timeout_ms ?? null,
    toolTimeoutMs: inMs(data.tool_timeout_sec),
  };
  if (data.url !== undefined)
    return {
      ...common,
      ...{ transport: 'http', url: data.url, headers: data.http_headers, envHeaders: data.env_http_headers },
      bearerTokenEnvVar: data.bearer_token_env_var ?? null,
    };
  return {
    ...common,
    ...{ transport: 'stdio', command: data.command ?? '', args: data.args, env: data.env },
    ...{ cwd: data.cwd ?? null, envVars: data.env_vars },
  };
}
