import { expect, test } from 'vitest';
import { ENTRY } from './fake-catalog.test-support.ts';
import { startServer, TOKEN } from './test-server.test-support.ts';

const headers = { authorization: `Bearer ${TOKEN}` };

test('sessions are listed as they were asked for', async () => {
  const { request, catalog } = await startServer();
  const path = '/api/catalog?workspace=demo&archived=true&q=%E9%83%A8&cursor=abc&limit=7';
  const reply = await request('GET', path, { headers });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    200,
    { sessions: [ENTRY], next: null, indexing: { done: 1, total: 2 } },
  ]);
  await request('GET', '/api/catalog', { headers });
  expect(catalog.calls).toEqual([
    ['list', { workspace: 'demo', archived: true, q: '部', cursor: 'abc', limit: 7 }],
    ['list', { archived: false, limit: 50 }],
  ]);
});

test('what was said is looked for', async () => {
  const { request, catalog } = await startServer();
  const reply = await request('GET', '/api/search?q=%20hello%20', { headers });
  expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
    200,
    { sessions: [{ session: ENTRY, hits: [{ snippet: [{ text: 'hello', hit: true }] }] }], cut: false },
  ]);
  await request('GET', '/api/search?q=x&archived=true&workspace=demo', { headers });
  expect(catalog.calls).toEqual([
    ['search', { q: 'hello', limit: 30 }],
    ['search', { q: 'x', archived: true, workspace: 'demo', limit: 30 }],
  ]);
});

test.each([
  '/api/search',
  '/api/search?q=%20',
  `/api/search?q=${'x'.repeat(501)}`,
  '/api/search?q=x&limit=101',
  '/api/search?q=x&archived=perhaps',
  '/api/catalog?limit=0',
  '/api/catalog?archived=perhaps',
])('%s is refused', async (path) => {
  const { request, catalog } = await startServer();
  expect((await request('GET', path, { headers })).status).toBe(400);
  expect(catalog.calls).toEqual([]);
});

test('a session is put away and brought back; of one that is not there that is said', async () => {
  const { request, catalog } = await startServer();
  const path = `/api/catalog/${ENTRY.id}`;
  const archived = await request('PATCH', path, { headers, body: { archived: true } });
  const gone = await request('DELETE', path, { headers });
  const restored = await request('POST', `${path}/restore`, { headers });
  expect([archived.status, gone.status, JSON.parse(gone.text), restored.status]).toEqual([
    ...[204, 200, { restorableUntil: '2026-01-09T00:00:00.000Z' }, 204],
  ]);
  expect(catalog.calls).toEqual([
    ['archive', ENTRY.id, true],
    ['remove', ENTRY.id],
    ['restore', ENTRY.id],
  ]);
  const refused = [
    await request('PATCH', '/api/catalog/other', { headers, body: { archived: true } }),
    await request('DELETE', '/api/catalog/..%2f..%2fetc', { headers }),
    await request('POST', '/api/catalog/other/restore', { headers }),
    await request('PATCH', path, { headers, body: { archived: true, title: 'x' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
});

test('nobody sees anything without a login', async () => {
  const { request, catalog, origin } = await startServer();
  const path = `/api/catalog/${ENTRY.id}`;
  const replies = [
    await request('GET', '/api/catalog'),
    await request('GET', '/api/search?q=x'),
    await request('DELETE', path, { headers: { origin } }),
    await request('POST', `${path}/restore`, { headers: { origin } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(catalog.calls).toEqual([]);
});
