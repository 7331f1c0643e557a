import { expect, test } from 'vitest';
import { readMcpServers } from './mcp-settings.ts';
import { writtenKey } from './toml-places.ts';

test('servers as users have them: a program or an address', () => {
  const table = {
    files: { command: 'npx', args: ['-y', 'srv'], env: { A: '1' }, startup_timeout_sec: 20, enabled: false },
    docs: {
      url: 'https://docs.example/mcp',
      bearer_token_env_var: 'DOCS_TOKEN',
      ...{ tool_timeout_sec: 1.5, enabled_tools: ['find'], scopes: ['x'] },
    },
  };
  expect(readMcpServers(table)).toEqual({
    servers: [
      {
        ...{ name: 'files', transport: 'stdio', command: 'npx', args: ['-y', 'srv'], cwd: null },
        ...{ env: { A: '1' }, envVars: [], enabled: false, startupTimeoutMs: 20_000, toolTimeoutMs: null },
        ...{ enabledTools: null, disabledTools: [] },
      },
      {
        ...{ name: 'docs', transport: 'http', url: 'https://docs.example/mcp', headers: {}, envHeaders: {} },
        ...{ bearerTokenEnvVar: 'DOCS_TOKEN', enabled: true, startupTimeoutMs: null, toolTimeoutMs: 1500 },
        ...{ enabledTools: ['find'], disabledTools: [] },
      },
    ],
    faults: [],
  });
  expect(readMcpServers(undefined)).toEqual({ servers: [], faults: [] });
});

test.each([
  [5, 'mcp_servers: expected a table'],
  [{ x: {} }, 'mcp_servers.x: expected a command or a url'],
  [{ x: { command: 'a', url: 'https://b.example' } }, 'mcp_servers.x: expected a command or a url'],
  [{ x: { command: ['a'] } }, 'mcp_servers.x.command: expected string, found array'],
  [{ x: { command: 'a', env: { A: 1 } } }, 'mcp_servers.x.env.A: expected string, found number'],
  [{ x: { url: 'docs.example' } }, 'mcp_servers.x.url: Invalid URL'],
  [{ x: { url: 'file:///etc/passwd' } }, 'mcp_servers.x.url: Invalid URL'],
  [{ x: 'npx srv' }, 'mcp_servers.x: expected table, found string'],
])('%j is left out and named', (table, sentence) => {
  const { servers, faults } = readMcpServers(table);
  expect(servers).toEqual([]);
  expect(faults.map(({ path, reason }) => `${writtenKey(path)}: ${reason}`)).toEqual([sentence]);
});
