import { INPUT_LIMIT } from '@tscodex/shared/limits';
import { expect, test } from 'vitest';
import { Failure } from '../base/errors.ts';
import { startServer, type TestServer } from './test-server.test-support.ts';

const inputId = '01970000-0000-7000-8000-0000000000aa';

async function openSession(): Promise<{ server: TestServer; call: TestServer['request']; path: string }> {
  const server = await startServer();
  const headers = { origin: server.origin, cookie: await server.login('Ada') };
  return {
    server,
    call: (method, path, options) => server.request(method, path, { headers, ...options }),
    path: `/api/sessions/${server.workspaces.session.id}`,
  };
}

test('every request reaches the session and is answered with its own status', async () => {
  const { server, call, path } = await openSession();
  const { session } = server.workspaces;
  const requests: [string, string, unknown?][] = [
    ['POST', '/inputs', { id: inputId, text: 'hello' }],
    ['PATCH', `/inputs/${inputId}`, { text: 'hello again', position: 0 }],
    ['DELETE', `/inputs/${inputId}`],
    ['POST', '/asks/ask-1', { choice: 'decline', reason: 'no' }],
    ['GET', '/asks/ask-1'],
    ['POST', '/interrupt'],
    ['POST', '/resume'],
    ['DELETE', '/clock'],
    ['DELETE', '/background/7'],
    ['PATCH', '', { title: 'New' }],
    ['GET', '/items?before=item-9&limit=5'],
    ['GET', '/items?around=item-9'],
    ['GET', '/find?q=%E4%BC%9A%E8%AF%9D'],
    ['GET', '/items/item-1/output'],
    ['GET', '/models'],
  ];
  const replies = [];
  for (const [method, rest, body] of requests) {
    const reply = await call(method, path + rest, { body });
    replies.push([reply.status, reply.text]);
  }
  expect(replies).toEqual([
    [202, `{"inputId":"${inputId}","duplicate":false}`],
    [204, ''],
    [204, ''],
    [202, '{}'],
    [200, '{"outcome":"answered","by":"Bob","answer":{"choice":"once"}}'],
    [202, '{}'],
    [202, '{}'],
    [204, ''],
    [204, ''],
    [204, ''],
    [200, '{"items":[],"older":null,"newer":null}'],
    [200, '{"items":[],"older":null,"newer":null}'],
    [200, '{"itemIds":["item-1"],"cut":false}'],
    [200, 'whole output é\n'],
    [200, '{"models":[{"id":"m-1","efforts":["low"]}]}'],
  ]);
  expect(session.calls).toEqual([
    ['submit', { id: inputId, text: 'hello', mode: 'steer' }, 'Ada'],
    ['changeInput', inputId, { text: 'hello again', position: 0 }, 'Ada'],
    ['withdrawInput', inputId],
    ['answer', 'ask-1', { choice: 'decline', reason: 'no' }, 'Ada'],
    ['askEnding', 'ask-1'],
    ['interrupt', 'Ada'],
    ['resume', 'Ada'],
    ['stopClock', 'Ada'],
    ['stopCommand', '7', 'Ada'],
    ['change', { title: 'New' }, 'Ada'],
    ['items', { before: 'item-9' }, 5],
    ['items', { around: 'item-9' }, 100],
    ['find', '会话', false],
    ['output', 'item-1'],
  ]);
});

test('output is plain text that no browser runs', async () => {
  const { call, path } = await openSession();
  const { headers } = await call('GET', `${path}/items/item-1/output`);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
});

test('workspaces list their sessions and models, and open and close sessions', async () => {
  const { server, call, path } = await openSession();
  const { session, created } = server.workspaces;
  const list = JSON.parse((await call('GET', '/api/workspaces')).text);
  expect(list.workspaces).toEqual(server.workspaces.list());
  const sessions = JSON.parse((await call('GET', '/api/workspaces/demo/sessions')).text);
  expect(sessions).toEqual({
    sessions: [session.summary()],
    models: server.workspaces.models(),
    profiles: server.workspaces.profiles(),
    backends: server.workspaces.backends(),
    closed: [],
  });

  const opened = await call('POST', '/api/workspaces/demo/sessions', { body: { model: 'demo' } });
  expect(opened.status).toBe(201);
  expect(JSON.parse(opened.text)).toEqual({ session: session.state });
  const snapshot = await call('GET', path);
  expect(JSON.parse(snapshot.text)).toEqual(session.snapshot());
  expect((await call('PATCH', path, { body: { title: 'New', position: 2 } })).status).toBe(204);
  expect(session.calls).toContainEqual(['change', { title: 'New' }, 'Ada']);
  // to move one it need not be loaded, as a broken one cannot be
  expect((await call('PATCH', '/api/sessions/broken', { body: { position: 1 } })).status).toBe(204);
  expect((await call('PATCH', '/api/sessions/broken', { body: { title: 'x', position: 1 } })).status).toBe(
    404,
  );
  const forked = await call('POST', `${path}/fork`, { body: { before: 'item-3' } });
  expect([forked.status, JSON.parse(forked.text)]).toEqual([201, { session: session.state }]);
  expect((await call('POST', `${path}/fork`, { body: { after: 'item-3' } })).status).toBe(400);
  expect((await call('DELETE', path)).status).toBe(204);
  expect(created).toEqual([
    ['demo', { model: 'demo' }],
    ['moved', session.id, 2],
    ['moved', 'broken', 1],
    ['forked', session.id, 'item-3'],
    ['closed', session.id],
  ]);
});

test('a closed session is opened again with 201, an open one is answered with 200; resume stands alone', async () => {
  const { server, call } = await openSession();
  const { session } = server.workspaces;
  const resume = (body: object) => call('POST', '/api/workspaces/demo/sessions', { body });
  expect(await resume({ resume: session.id })).toMatchObject({ status: 200 });
  server.workspaces.closed.add(session.id);
  const reopened = await resume({ resume: session.id });
  expect(reopened.status).toBe(201);
  expect(JSON.parse(reopened.text)).toEqual({ session: session.state });
  expect((await resume({ resume: session.id, model: 'demo' })).text).toContain('resume stands alone');
  expect((await resume({ resume: '../../etc' })).status).toBe(400);
});

test('what is unknown is 404, what was decided already is 409 with the outcome', async () => {
  const { server, call, path } = await openSession();
  expect((await call('GET', '/api/sessions/none')).status).toBe(404);
  expect((await call('GET', '/api/workspaces/none/sessions')).status).toBe(404);
  const unknown = await call('GET', '/api/nothing?secret=1');
  expect([unknown.status, unknown.text]).toEqual([
    404,
    '{"error":{"code":"request.unknownPath","message":"There is nothing at GET /api/nothing."}}',
  ]);
  const details = { outcome: 'answered', by: 'Bob' };
  server.workspaces.session.failure = new Failure('conflict', 'ask.closed', 'Bob was first.', { details });
  const late = await call('POST', `${path}/asks/a`, { body: { choice: 'once' } });
  expect(late.status).toBe(409);
  expect(JSON.parse(late.text)).toEqual({
    error: { code: 'ask.closed', message: 'Bob was first.', details },
  });
});

test('bad bodies name the place and the fault', async () => {
  const { server, call, path } = await openSession();
  const sentence = async (body: unknown) => {
    const reply = await call('POST', `${path}/inputs`, { body });
    return [reply.status, JSON.parse(reply.text).error.message];
  };
  expect(await sentence({ id: inputId, text: ' \n ' })).toEqual([400, 'body: text: the text is empty']);
  expect((await sentence({ id: 'x', text: 'a' }))[1]).toMatch(/^body: id: /);
  expect((await sentence({ id: inputId, text: 'a', mode: 'shout' }))[1]).toMatch(/^body: mode: /);
  expect((await sentence(undefined))[1]).toMatch(/^body: /);
  for (const asked of [
    'items?before=a&limit=2000',
    'items?before=a&after=b',
    'items',
    'find?q=',
    `find?q=${'x'.repeat(501)}`,
  ])
    expect((await call('GET', `${path}/${asked}`)).status).toBe(400);
  expect(server.workspaces.session.calls).toEqual([]);
});

test('a text may be 1 MiB long, in whatever form JSON has it, and no byte longer', async () => {
  const { server, call, path } = await openSession();
  const send = (text: string) => call('POST', `${path}/inputs`, { body: { id: inputId, text } });
  expect((await send('\u0001'.repeat(INPUT_LIMIT))).status).toBe(202);
  expect((await send('é'.repeat(INPUT_LIMIT / 2))).status).toBe(202);
  const over = await send(`${'é'.repeat(INPUT_LIMIT / 2)}a`);
  expect([over.status, JSON.parse(over.text).error.code]).toEqual([413, 'input.tooLarge']);
  expect(server.workspaces.session.calls).toHaveLength(2);
  const far = await send('\u0001'.repeat(INPUT_LIMIT + 20_000));
  expect([far.status, JSON.parse(far.text).error.code]).toEqual([413, 'request.tooLarge']);
});

test('a bug says nothing of the inside', async () => {
  const { server, call, path } = await openSession();
  server.workspaces.session.failure = new Error('secret detail');
  const reply = await call('POST', `${path}/interrupt`);
  expect(reply.status).toBe(500);
  expect(JSON.parse(reply.text).error.code).toBe('server.internal');
  expect(reply.text).not.toContain('secret detail');
  expect(server.log()).toContain('secret detail');
});

test('the API describes itself', async () => {
  const { call } = await openSession();
  const api = JSON.parse((await call('GET', '/api/openapi.json')).text);
  expect(api.openapi).toBe('3.1.0');
  const { post } = api.paths['/api/sessions/{session}/inputs'];
  expect(post.requestBody.content['application/json'].schema.properties.mode.enum).toEqual([
    'steer',
    'queue',
  ]);
  expect(Object.keys(post.responses)).toEqual(['202']);
  expect(Object.keys(api.paths)).not.toContain('/w/{workspace}/');
});

test('metrics are for those who are in', async () => {
  const { call } = await openSession();
  const { text } = await call('GET', '/metrics');
  expect(text).toContain('tscodex_sessions{status="idle"} 1');
  expect(text).toMatch(/process_resident_memory_bytes \d+/);
});
