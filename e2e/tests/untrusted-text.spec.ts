/** O-C5: what a model, a person or a program writes is text in the page, and nothing else. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

const hostile = [
  '<svg><style><img src=x onerror=window.__p=1></style></svg>',
  '<img src=x onerror=window.__p=1>',
  '[a](javascript:window.__p=1)',
  '[b](JaVaScRiPt&colon;window.__p=1)',
  '<a href="data:text/html,<script>window.opener.__p=1</script>">c</a>',
  '<form action="/api/x" method="post"><input name=q><button>ok</button></form>',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=window.__p=1 src>">',
  '![x](http://127.0.0.1:9/beacon.png)',
  '<div style="position:fixed;inset:0;z-index:99999">overlay</div>',
  '<iframe srcdoc="<script>parent.__p=1</script>"></iframe>',
  '```html\n<script>window.__p=1</script>\n```',
  '<base href="http://127.0.0.1:9/">',
  '<a id="root" name="config">clobber</a>',
];

/** Whatever hostile text asks the browser for, be it stopped there or not. */
class Watch {
  readonly beacons: string[] = [];

  static async on(page: Page): Promise<Watch> {
    const watch = new Watch();
    page.on('request', (request) => {
      if (new URL(request.url()).port === '9') watch.beacons.push(request.url());
    });
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        violations.push(`${violatedDirective} ${blockedURI}`),
      );
    });
    return watch;
  }
}

/** The page did nothing that a text wanted: nothing ran, and nothing had to be kept from running or loading. */
async function expectUntouched(page: Page, watch: Watch): Promise<void> {
  for (const frame of page.frames()) expect(await frame.evaluate('window.__p')).toBeUndefined();
  expect(watch.beacons).toEqual([]);
  expect(await page.evaluate('window.violations')).toEqual([]);
  expect(await page.locator('#root').count()).toBe(1);
  expect(await page.evaluate(() => document.getElementById('root')?.matches('body > div'))).toBe(true);
}

/** Elements and attributes that a text must not bring into `place`. */
function intruders(place: Locator): Promise<string[]> {
  return place.evaluate((root) => {
    const tags =
      'form, iframe, base, style, img, script, object, embed, math, link, meta, input:not([type=checkbox]:disabled)';
    const isIntruder = (element: Element): boolean =>
      (element.matches(tags) && !element.closest('.katex')) ||
      element
        .getAttributeNames()
        .some((name) => name.startsWith('on') || name === 'name' || name === 'srcdoc') ||
      (element.hasAttribute('style') && !element.closest('.katex')) ||
      element.id === 'root' ||
      /^\s*(?:javascript|data|vbscript):/i.test(element.getAttribute('href') ?? '');
    return [...root.querySelectorAll('*')].filter(isIntruder).map(({ outerHTML }) => outerHTML);
  });
}

/** Follows every link, and comes back. */
async function clickLinks(page: Page, place: Locator): Promise<number> {
  const links = await place.locator('a').all();
  for (const link of links) {
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    await opened.close();
  }
  return links.length;
}

test('as messages of a person and of the agent', async ({ page, server, model }) => {
  const watch = await Watch.on(page);
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  for (const text of hostile) {
    // in pieces, so that tags are cut anywhere
    model.answer((text.match(/.{1,7}/gs) ?? []).map((piece) => ({ text: piece })));
    await server.send(session, text);
    await server.idle(session);
  }
  const said = view.conversation.locator('[data-item=userMessage]');
  const answered = view.conversation.locator('[data-item=agentMessage]');
  await expect(answered).toHaveCount(hostile.length);
  await expect(view.status).toHaveText('idle');
  await expect(answered.locator('pre')).toHaveText('<script>window.__p=1</script>');
  for (const [at, text] of hostile.entries()) {
    await expect(said.nth(at)).toContainText(text);
    if (text.startsWith('<')) await expect(answered.nth(at)).toContainText(text);
  }

  expect(await intruders(view.conversation)).toEqual([]);
  expect(await answered.locator('[id]').count()).toBe(0);
  await expectUntouched(page, watch);

  // the picture is a link: whoever wants it asks for it
  expect(await answered.nth(7).locator('a').count()).toBe(1);
  expect(await clickLinks(page, view.conversation)).toBeGreaterThanOrEqual(1);
  await expectUntouched(page, watch);
});

test('as the output of a command, and in its name', async ({ page, box, server, model }) => {
  const watch = await Watch.on(page);
  await writeFile(join(box.workDir, 'hostile.txt'), hostile.join('\n'));
  const cmd = `cat hostile.txt # ${hostile[1]}`;
  model.answer([{ call: 'exec_command', args: { cmd } }], [{ text: 'Read.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('read it');
  await expect(view.conversation).toContainText('Read.');
  await view.conversation.getByRole('button', { name: /^\S* ?Ran cat/ }).click();
  const output = view.conversation.getByRole('region', { name: /^Output of/ });
  for (const text of hostile) await expect(output).toContainText(text);
  expect(await output.locator('*').count()).toBe(await output.locator('code').count());
  expect(await intruders(view.conversation)).toEqual([]);
  expect(await clickLinks(page, view.conversation)).toBe(0);
  await expectUntouched(page, watch);
});

test('as a formula that hangs out of its message: what comes below it is not painted over', async ({
  page,
  server,
  model,
}) => {
  const view = await WorkspaceView.open(page, server);
  const text = String.raw`So: $\smash{\rule[-20em]{20em}{20em}}$`;
  model.answer([{ text }, { call: 'exec_command', args: { cmd: 'true' } }], [{ text: 'Done.' }]);
  await view.send('go');
  await expect(view.conversation).toContainText('Done.');
  const row = view.conversation.locator('[data-item=commandExecution]');
  const box = await view.conversation.locator('.katex-rule').boundingBox();
  const place = await row.boundingBox();
  if (!box || !place) throw new Error('nothing is shown');
  const [x, y] = [box.x + 20, place.y + place.height / 2];
  expect(box.y + box.height).toBeGreaterThan(y);
  const isOnTop = ([left, top]: [number, number]) =>
    document.elementFromPoint(left, top)?.closest('[data-item]')?.getAttribute('data-item');
  expect(await page.evaluate(isOnTop, [x, y] as [number, number])).toBe('commandExecution');
});

test('as the titles of sessions', async ({ page, server }) => {
  const watch = await Watch.on(page);
  for (const title of hostile) await server.newSession('demo', { title });
  const view = await WorkspaceView.open(page, server);
  for (const title of hostile) {
    await view.sessions
      .getByRole('tab')
      .filter({ has: page.getByText(title, { exact: true }) })
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title.replace(/\s+/g, ' '));
  }
  expect(await intruders(view.sessions)).toEqual([]);
  expect(await intruders(page.getByRole('heading', { level: 1 }))).toEqual([]);
  await expectUntouched(page, watch);
});

test('as a question of the agent and its options', async ({ page, server, model }) => {
  const watch = await Watch.on(page);
  const options = hostile.map((text) => ({ label: text, description: text }));
  const questions = [{ id: 'q', header: hostile[1], question: hostile.join(' '), options }];
  model.answer([{ call: 'request_user_input', args: { questions } }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('ask me');
  await expect(view.question.getByRole('radio')).toHaveCount(hostile.length + 1);
  expect(await view.question.locator('img, iframe, script, style, base, a, form').count()).toBe(0);
  await expectUntouched(page, watch);
});

test('the page lets no inline script run, whoever wrote it', async ({ page, server }) => {
  await WorkspaceView.open(page, server);
  const response = await page.reload();
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("script-src-attr 'none'");
  expect(policy).toContain("base-uri 'self'");
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.__p = 1' }));
  });
  expect(await page.evaluate('window.__p')).toBeUndefined();
});
