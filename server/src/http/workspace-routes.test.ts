import { WORKSPACE_NAME_LIMIT } from '@tscodex/shared/limits';
import { expect, test } from 'vitest';
import { startServer } from './test-server.test-support.ts';

async function open() {
  const server = await startServer();
  const headers = { origin: server.origin, cookie: await server.login('Ada') };
  const call: typeof server.request = (method, path, options) =>
    server.request(method, path, { headers, ...options });
  return { server, call, changes: server.workspaces.changes };
}

test('the list is added to, changed and taken from', async () => {
  const { call, changes } = await open();
  const added = await call('POST', '/api/workspaces', { body: { name: '  Shop ', dir: '~/shop' } });
  expect([added.status, JSON.parse(added.text).workspace.id]).toEqual([201, 'demo']);
  const change = { revision: '1', name: 'New', position: 2, createDir: true };
  const changed = await call('PATCH', '/api/workspaces/demo', { body: change });
  expect([changed.status, JSON.parse(changed.text).workspace.id]).toEqual([200, 'demo']);
  expect((await call('DELETE', '/api/workspaces/demo')).status).toBe(204);
  expect(changes).toEqual([
    ['add', { name: 'Shop', dir: '~/shop' }],
    ['change', 'demo', change],
    ['remove', 'demo'],
  ]);
});

test('a workspace that is not there is a 404 with its sentence', async () => {
  const { call } = await open();
  const body = { revision: '1', name: 'x' };
  for (const reply of [
    await call('PATCH', '/api/workspaces/gone', { body }),
    await call('DELETE', '/api/workspaces/gone'),
    await call('DELETE', '/api/workspaces/a%20b%2F..%00'),
  ]) {
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error).toMatchObject({ code: 'workspace.unknown' });
  }
});

test.each([
  ['a name of 300 characters', { name: 'x'.repeat(300) }],
  ['a name of blanks', { name: '   ' }],
  ['an empty directory', { dir: '' }],
  ['a key nobody knows', { id: 'mine' }],
  ['no object', []],
  ['a path without end', { board: 'x'.repeat(5000) }],
])('%s is refused before anything happens', async (_what, body) => {
  const { call, changes } = await open();
  const reply = await call('POST', '/api/workspaces', { body });
  expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([400, 'request.invalid']);
  expect(changes).toEqual([]);
});

test.each([
  ['name', { name: ' ' }],
  ['board', { dir: '~/shop', board: '' }],
  [undefined, { id: 'mine' }],
])('what is wrong with %s is told of that field', async (field, body) => {
  const { call } = await open();
  const reply = await call('POST', '/api/workspaces', { body });
  expect(JSON.parse(reply.text).error.details?.field).toBe(field);
});

test('a name of markup and of the longest length are names', async () => {
  const { call, changes } = await open();
  const names = ['<script>alert(1)</script>', '名'.repeat(WORKSPACE_NAME_LIMIT)];
  for (const name of names)
    expect((await call('POST', '/api/workspaces', { body: { name } })).status).toBe(201);
  expect(changes).toEqual(names.map((name) => ['add', { name }]));
});

test('directories are completed for those who are logged in alone', async () => {
  const { server, call, changes } = await open();
  const reply = await call('GET', '/api/directories?path=%7E%2Fs&workspace=demo');
  expect(JSON.parse(reply.text)).toEqual({ directories: ['src'] });
  expect((await call('GET', '/api/directories')).status).toBe(200);
  expect(changes).toEqual([
    ['directories', '~/s', 'demo'],
    ['directories', '', undefined],
  ]);
  const stranger = await server.request('GET', '/api/directories?path=/', {
    headers: { origin: server.origin },
  });
  expect(stranger.status).toBe(401);
});

test('a list that cannot be read says so beside what is known', async () => {
  const { server, call } = await open();
  expect(JSON.parse((await call('GET', '/api/workspaces')).text)).not.toHaveProperty('problem');
  const problem = { code: 'workspaces.json', message: '/w/workspaces.json:3:1: not valid JSON' };
  server.workspaces.broken = problem;
  expect(JSON.parse((await call('GET', '/api/workspaces')).text)).toMatchObject({
    problem,
    workspaces: [{ id: 'demo' }],
  });
});

test('what is to be said of the configuration stands beside the list, and nothing where there is nothing', async () => {
  const { call, server } = await open();
  const list = async () => JSON.parse((await call('GET', '/api/workspaces')).text);
  expect(await list()).not.toHaveProperty('config');
  const notice = {
    code: 'config.unknownKey',
    message: 'c.toml:2: modle is unknown',
    details: { key: 'modle' },
  };
  server.workspaces.config = { problems: [], notices: [notice] };
  expect((await list()).config).toEqual(server.workspaces.config);
});

test('a session is asked for with the name of a profile', async () => {
  const { call, server } = await open();
  const ask = (profile: unknown) => call('POST', '/api/workspaces/demo/sessions', { body: { profile } });
  expect((await ask('fast')).status).toBe(201);
  expect(server.workspaces.created).toEqual([['demo', { profile: 'fast' }]]);
  for (const bad of ['', 5, 'x'.repeat(201)]) expect((await ask(bad)).status).toBe(400);
});
