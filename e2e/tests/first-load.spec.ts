/** What the page fetches before anybody sees it. */
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const BUDGET = 170_000;

/** `import './a.js'` and `from './a.js'`, as bundles write them; what is imported by a call comes later. */
const STATIC_IMPORT = /(?:\bimport|\bfrom)\s*["']\.\/([\w.-]+\.js)["']/g;

test('the script before the first paint is under 170 kB, gzipped', async ({ request, server }) => {
  const html = await (await request.get(`${server.url}login`)).text();
  const tags = html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+\.js)"/g);
  const waiting = [...tags].map(([, path]) => path?.split('/').at(-1) ?? '');
  const sizes = new Map<string, number>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (sizes.has(name)) continue;
    const response = await request.get(`${server.url}assets/${name}`);
    expect(response.ok(), name).toBe(true);
    const script = await response.text();
    sizes.set(name, gzipSync(script).length);
    for (const [, imported = ''] of script.matchAll(STATIC_IMPORT)) waiting.push(imported);
  }
  expect(sizes.size).toBeGreaterThan(0);
  const sum = [...sizes.values()].reduce((all, size) => all + size);
  expect(sum, JSON.stringify([...sizes])).toBeLessThan(BUDGET);
});

test('nothing is compressed while it is served: every script and style sheet of the page lies there compressed', async ({
  page,
  server,
}) => {
  const received: string[] = [];
  page.on('response', async (response) => {
    if (!/\.(js|css)$/.test(response.url())) return;
    const { 'content-encoding': encoding, 'content-length': length } = response.headers();
    // what is compressed as it is sent does not know its length before
    received.push(`${encoding} ${Number(length) > 0}`);
  });
  await WorkspaceView.open(page, server);
  await page.waitForLoadState('networkidle');
  expect(received.length).toBeGreaterThan(1);
  expect(new Set(received)).toEqual(new Set(['br true']));
  const [script = ''] = await page.$$eval('script[src]', (all) =>
    all.map((one) => (one as HTMLScriptElement).src),
  );
  const plain = await fetch(script, { headers: { 'accept-encoding': 'identity' } }).then((answer) =>
    answer.text(),
  );
  for (const accepted of ['br', 'gzip']) {
    // fetch undoes the encoding
    const answer = await fetch(script, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(accepted);
    expect(await answer.text()).toBe(plain);
  }
});

test('an empty session fetches neither the parser of Markdown, nor KaTeX, nor grammars, nor anything elsewhere', async ({
  page,
  server,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const session = await server.newSession();
  await WorkspaceView.open(page, server, session);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => /\/(?:rendered|typeset|code-worker|typescript)-|KaTeX/.test(url))).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(server.url) && !/^(?:data|blob):/.test(url))).toEqual([]);
});
