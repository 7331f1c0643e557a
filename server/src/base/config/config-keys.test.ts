import { expect, test } from 'vitest';
import { meantBy, unknownKeys } from './config-keys.ts';
import { writtenKey } from './toml-places.ts';

test.each([
  [{ model: 'm', tui: { x: 1 }, features: { y: true }, notify: ['a'] }, []],
  [{ modle: 'm' }, [['modle', 'model']]],
  [{ frobnicate: 1 }, [['frobnicate', null]]],
  [
    { model_providers: { 'my local': { base_ulr: 'u', auth: {} } } },
    [['model_providers."my local".base_ulr', 'base_url']],
  ],
  [
    { tscodex: { models: { m: { context_windw: 5 } } } },
    [['tscodex.models.m.context_windw', 'context_window']],
  ],
  [{ tscodex: { tui: 1 } }, [['tscodex.tui', null]]],
  [{ shell_environment_policy: { inherits: 'all' } }, [['shell_environment_policy.inherits', 'inherit']]],
  [{ projects: { '/a': { trust: 'x' } } }, [['projects."/a".trust', null]]],
  [{ tools: { view_image: { x: 1 }, web_search_request: true }, hooks: { Stop: [], state: {} } }, []],
  [{ tools: { view_imag: false } }, [['tools.view_imag', 'view_image']]],
  [
    { hooks: { 'turn.compleeted': [], PreTolUse: [] } },
    [
      ['hooks."turn.compleeted"', 'turn.completed'],
      ['hooks.PreTolUse', 'PreToolUse'],
    ],
  ],
  [
    { mcp_servers: { x: { command: 'a', scopes: [], env: { y: '1' }, enabled_tool: [] } } },
    [['mcp_servers.x.enabled_tool', 'enabled_tools']],
  ],
  [{ tools: 1, mcp_servers: 2, hooks: 3 }, []],
  [
    { constructor: 1, ['__proto__']: 2 },
    [
      ['constructor', null],
      ['__proto__', null],
    ],
  ],
  ['no table', []],
])('%j', (table, expected) => {
  expect(unknownKeys(table).map((one) => [writtenKey(one.path), meantBy(one)])).toEqual(expected);
});

test('within a profile the whole key is named', () => {
  expect(unknownKeys({ modle: 'm' }, ['profiles', 'fast'])).toMatchObject([
    { path: ['profiles', 'fast', 'modle'] },
  ]);
});
