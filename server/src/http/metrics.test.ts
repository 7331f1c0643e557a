import { expect, test } from 'vitest';
import { startServer, TOKEN } from './test-server.test-support.ts';

const headers = { authorization: `Bearer ${TOKEN}` };
const problem = { kind: 'userns-denied', detail: 'No permissions to create new namespace' } as const;

test('everybody learns that the server is there, only who may in how its machine is made', async () => {
  const server = await startServer({ sandbox: { problem, facts: null } });
  const health = async (path: string, of = {}) => {
    const { status, text } = await server.request('GET', path, of);
    return [status, JSON.parse(text)];
  };
  expect(await health('/healthz')).toEqual([200, { ok: true, version: '0.0.0' }]);
  expect(await health('/healthz?verbose')).toMatchObject([401, { error: { code: 'login.needed' } }]);
  expect(await health('/healthz?verbose', { headers })).toEqual([
    200,
    {
      ...{ ok: true, version: '0.0.0' },
      sandbox: { confined: false, ...problem, sentence: expect.any(String), fix: expect.any(String) },
    },
  ]);
});

test('a machine that confines says by what', async () => {
  const facts = { version: 'bubblewrap 0.8.0', proc: true, namespacesOff: true };
  const server = await startServer({ sandbox: { problem: null, facts }, authRequired: false });
  const { text } = await server.request('GET', '/healthz?verbose=1');
  expect(JSON.parse(text).sandbox).toEqual({ confined: true, ...facts });
});
