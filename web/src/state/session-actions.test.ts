import { afterEach, expect, test, vi } from 'vitest';
import { Api } from '../api/http.ts';
import { sessionActions } from './session-actions.ts';

afterEach(() => vi.unstubAllGlobals());

test('every action has its request', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    asked.push(`${init.method} ${url.pathname}${url.search} ${init.body ?? ''}`.trim());
    return Response.json({});
  });
  const actions = sessionActions(new Api(new URL('http://box/x/'), () => undefined), 's 1');
  await actions.send({ id: 'i', text: 'hi', mode: 'queue', seen: 4 });
  await actions.withdrawInput('i');
  await actions.interrupt();
  await actions.resume();
  await actions.answer('a', { choice: 'once' });
  await actions.stopCommand('p');
  await actions.page({ before: 'item&1' });
  expect(await actions.output('c')).toBe('{}');
  expect(asked).toEqual([
    'POST /x/api/sessions/s%201/inputs {"id":"i","text":"hi","mode":"queue","seen":4}',
    'DELETE /x/api/sessions/s%201/inputs/i',
    'POST /x/api/sessions/s%201/interrupt',
    'POST /x/api/sessions/s%201/resume',
    'POST /x/api/sessions/s%201/asks/a {"choice":"once"}',
    'DELETE /x/api/sessions/s%201/background/p',
    'GET /x/api/sessions/s%201/items?before=item%261&limit=200',
    'GET /x/api/sessions/s%201/items/c/output',
  ]);
});
