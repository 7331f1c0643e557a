import type { SessionGrant } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import { Failure } from '../base/errors.ts';
import { startServer } from './test-server.test-support.ts';

const grant: SessionGrant = {
  ...{ id: 'ask-1', what: 'command', command: 'npm test', cwd: '/w', sandbox: 'none' },
  ...{ by: 'Ada', at: '2026-01-01T00:00:00.000Z' },
};

async function open() {
  const server = await startServer();
  const { session } = server.workspaces;
  session.grants = () => [grant];
  const headers = { origin: server.origin, cookie: await server.login('Bo') };
  const path = `/api/sessions/${session.id}/grants`;
  return {
    ...{ server, session, path },
    call: (method: string, rest = '') => server.request(method, path + rest, { headers }),
  };
}

test('what was allowed for a session is listed, and taken back under the name of who does', async () => {
  const { call, session } = await open();
  expect(JSON.parse((await call('GET')).text)).toEqual({ grants: [grant] });
  expect((await call('DELETE', '/ask-1')).status).toBe(204);
  expect(session.calls).toEqual([['takeBackGrant', 'ask-1', 'Bo']]);
});

test('one that somebody was quicker with is a 404, and so is any of a session that is not there', async () => {
  const { call, session, server } = await open();
  session.failure = new Failure('notFound', 'grant.unknown', 'This is not allowed any more.');
  const reply = await call('DELETE', '/ask-1');
  expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([404, 'grant.unknown']);
  const headers = { cookie: await server.login() };
  expect((await server.request('GET', '/api/sessions/none/grants', { headers })).status).toBe(404);
});

test('only those who are logged in see it and take it back', async () => {
  const { server, session, path } = await open();
  const { origin } = server;
  for (const [method, at] of [
    ['GET', path],
    ['DELETE', `${path}/ask-1`],
  ] as const)
    expect((await server.request(method, at, { headers: { origin } })).status).toBe(401);
  expect(session.calls).toEqual([]);
});
