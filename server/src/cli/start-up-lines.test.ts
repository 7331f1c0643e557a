import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { serverUrl, startUpLines } from './start-up-lines.ts';

const at = { host: '127.0.0.1', port: 6007, machineName: 'box', basePath: '', publicUrl: null };

test.each([
  [at, 'http://127.0.0.1:6007/'],
  [{ ...at, host: '::1' }, 'http://[::1]:6007/'],
  [{ ...at, host: '0.0.0.0', basePath: '/x/agent' }, 'http://box:6007/x/agent/'],
  [{ ...at, publicUrl: new URL('https://a.example/x') }, 'https://a.example/x/'],
])('%j is opened at %s', (options, url) => {
  expect(serverUrl(options)).toBe(url);
});

test('a line for the version, one for the address, one for the sandbox, one for each workspace', () => {
  const board = { enabled: false, path: '', version: null };
  const fine: WorkspaceSummary = {
    id: 'a',
    name: 'A',
    dir: '/a',
    revision: '1',
    board,
    permissions: {},
    sessions: [],
  };
  const problem = { code: 'entry.dirMissing', message: 'workspaces[1].work_dir: /b does not exist' };
  const workspaces = [fine, { ...fine, id: 'b', problem }];
  const options = {
    version: '1.2.3',
    url: 'http://h:1/',
    auth: true,
    token: 't',
    sandbox: 'Commands are confined.',
    workspaces,
  };
  expect(startUpLines(options)).toEqual([
    'tscodex-ws 1.2.3',
    'Open http://h:1/login#token=t',
    'Commands are confined.',
    '  a: /a',
    '  b: broken: workspaces[1].work_dir: /b does not exist',
  ]);
  expect(startUpLines({ ...options, token: null })[1]).toBe('Open http://h:1/login');
  expect(startUpLines({ ...options, token: null, auth: false })[1]).toBe(
    'Open http://h:1/ (no login is asked for)',
  );
});
