import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Rules } from '../approvals/rules.ts';
import { startServer, temporaryDirectory } from './test-server.test-support.ts';

async function open(text: string) {
  const home = await temporaryDirectory();
  await mkdir(join(home, 'rules'));
  const path = join(home, 'rules/default.rules');
  await writeFile(path, text);
  const server = await startServer({ rules: new Rules(home) });
  const headers = { origin: server.origin, cookie: await server.login('Ada') };
  return {
    ...{ server, home, headers },
    list: async () => JSON.parse((await server.request('GET', '/api/rules', { headers })).text),
    remove: (id: string) => server.request('DELETE', `/api/rules/${id}`, { headers }),
    saved: () => readFile(path, 'utf8'),
  };
}

const ALLOW = 'prefix_rule(pattern=["npm", ["test", "ci"]])\n';
const FORBID = 'prefix_rule(pattern=["deploy"], decision="forbidden", justification="ask Bo")\n';

test('the rules are listed with their places, and what could not be read', async () => {
  const { home, list } = await open(`${ALLOW}hello\n${FORBID}`);
  const id = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(await list()).toEqual({
    dir: join(home, 'rules'),
    rules: [
      { id, pattern: ['npm', ['test', 'ci']], decision: 'allow', file: 'default.rules', line: 1 },
      {
        ...{ id, pattern: ['deploy'], decision: 'forbidden', justification: 'ask Bo' },
        ...{ file: 'default.rules', line: 3 },
      },
    ],
    problems: [{ file: 'default.rules', line: 2, message: 'it is no rule' }],
  });
});

test('a home is written as a tilde', async () => {
  const dir = join(homedir(), '.codex/rules');
  const list = async () => ({ dir, rules: [], problems: [] });
  const server = await startServer({ rules: { list, remove: () => Promise.reject(new Error('none')) } });
  const headers = { cookie: await server.login() };
  const { text } = await server.request('GET', '/api/rules', { headers });
  expect(JSON.parse(text)).toEqual({ dir: '~/.codex/rules', rules: [], problems: [] });
});

test('a rule is removed, and the log says by whom', async () => {
  const { server, list, remove, saved } = await open(ALLOW + FORBID);
  const { rules } = await list();
  expect((await remove(rules[0].id)).status).toBe(204);
  expect(await saved()).toBe(FORBID);
  expect(server.log()).toMatch(/"by":"Ada","pattern":\["npm",\["test","ci"\]\].*"rule removed"/);
});

test('a rule that is gone is a 404 with its sentence', async () => {
  const { list, remove, saved } = await open(FORBID);
  const { rules } = await list();
  await remove(rules[0].id);
  for (const id of [rules[0].id, 'a%20b%2F..%00']) {
    const reply = await remove(id);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error).toMatchObject({
      code: 'rules.unknown',
      message: expect.stringContaining('gone'),
    });
  }
  expect(await saved()).toBe('');
});

test('only those who are logged in see and remove rules', async () => {
  const { server, saved } = await open(FORBID);
  const { origin } = server;
  for (const method of ['GET', 'DELETE'])
    expect((await server.request(method, '/api/rules/x', { headers: { origin } })).status).toBe(401);
  expect((await server.request('GET', '/api/rules', { headers: { origin } })).status).toBe(401);
  expect(await saved()).toBe(FORBID);
});
