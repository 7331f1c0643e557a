import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { Failure } from '../../base/errors.ts';
import { startServer } from '../test-server.test-support.ts';

const item: Item = {
  ...{ id: 'i', turnId: null, status: 'completed', startedAt: '2026-01-02T03:04:05.000Z' },
  ...{ type: 'agentMessage', text: '<script>alert(1)</script>' },
};

async function open() {
  const server = await startServer();
  const headers = { origin: server.origin, cookie: await server.login('Ada') };
  const { session } = server.workspaces;
  session.state = { ...session.state, title: '修 "it"/../x' };
  session.everything = [item];
  server.workspaces.images = { find: () => null, read: async () => null } as never;
  return {
    session,
    get: (query: string, more = {}) =>
      server.request('GET', `/api/sessions/${session.id}/export${query}`, {
        headers: { ...headers, ...more },
      }),
  };
}

test('an export is a download that no browser shows as a page of ours', async () => {
  const { get } = await open();
  const markdown = await get('', { 'accept-language': 'zh-CN' });
  expect(markdown.status).toBe(200);
  expect(markdown.text).toContain('## 智能体 · 2026-01-02 03:04 UTC');
  expect(markdown.headers).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="_ it .. x.md"; filename*=UTF-8''%E4%BF%AE%20it%20..%20x.md`,
  });
  const json = await get('?format=json');
  expect(json.headers['content-disposition']).toContain('attachment; ');
  expect(JSON.parse(json.text)).toMatchObject({ title: '修 "it"/../x', items: [item] });
});

test('another format, no such session and a file that cannot be read are refused', async () => {
  const { session, get } = await open();
  expect((await get('?format=html')).status).toBe(400);
  session.failure = new Failure('unavailable', 'rollout.unreadable', 'cannot read /x: it is gone');
  const refused = await get('?format=json');
  expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([503, 'rollout.unreadable']);
  session.failure = null;
  session.everything = [];
  expect(JSON.parse((await get('?format=json')).text).items).toEqual([]);
});
