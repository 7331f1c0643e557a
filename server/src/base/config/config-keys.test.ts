import { expect, test } from 'vitest';
import { unknownKeys } from './config-keys.ts';

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
  [{ tools: { anything: 1 }, mcp_servers: { x: { y: 1 } }, hooks: { Stop: [] } }, []],
  [
    { constructor: 1, ['__proto__']: 2 },
    [
      ['constructor', null],
      ['__proto__', null],
    ],
  ],
  ['no table', []],
])('%j', (table, expected) => {
  expect(unknownKeys(table).map(({ key, nearest }) => [key, nearest])).toEqual(expected);
});

test('within a profile the whole key is named', () => {
  expect(unknownKeys({ modle: 'm' }, ['profiles', 'fast'])).toEqual([
    { path: ['profiles', 'fast', 'modle'], key: 'profiles.fast.modle', nearest: 'model' },
  ]);
});
