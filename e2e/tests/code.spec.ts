/** Code in what the agent writes: its colours, what Copy takes, and long lines. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { Gate } from '../support/gate.ts';
import type { RunningServer } from '../support/server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const CODE =
  'export const answer: number = compute(42, "why"); // <img src=x onerror="window.__p = 1">\n\tdone(answer);';
const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;

/** Notes what breaks the page's content security policy. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(window, { broken });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      broken.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  return () => page.evaluate(() => Reflect.get(window, 'broken'));
}

async function coloursOf(code: Locator): Promise<string[]> {
  const colours = await code
    .locator('span')
    .evaluateAll((pieces) => pieces.map((piece) => getComputedStyle(piece).color));
  return [...new Set(colours)];
}

async function open(page: Page, server: RunningServer): Promise<WorkspaceView> {
  return WorkspaceView.open(page, server, await server.newSession());
}

test('Q24: plain while it is written, coloured once its fence has ended, and nothing moves', async ({
  page,
  server,
  model,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const policy = await watchPolicy(page);
  const view = await open(page, server);
  const ends = new Gate();
  const ended = new Gate();
  model.answer([
    { text: `Look:\n\n\`\`\`ts\n${CODE}\n` },
    { wait: ends.opened },
    { text: '```\n\n' },
    { text: 'That is all.' },
    { wait: ended.opened },
  ]);
  await view.send('show me');
  const code = view.conversation.locator('pre code');
  await expect(code).toHaveText(CODE, { useInnerText: true });
  await expect(code.locator('span')).toHaveCount(0);
  expect(asked.filter((url) => /code-worker|typescript-/.test(url))).toEqual([]);
  const place = async () => Object.values((await code.boundingBox()) ?? {}).map(Math.round);
  const before = await place();

  ends.open();
  await expect(code.locator('span').first()).toBeVisible();
  expect(await place()).toEqual(before);
  expect(await code.evaluate((element) => element.textContent)).toBe(CODE);
  // as long as the answer goes on, too: an open fence alone is plain
  await expect(view.status).not.toHaveText('idle');
  ended.open();
  await expect(view.status).toHaveText('idle');
  await expect(code.locator('span').first()).toBeVisible();

  const light = await coloursOf(code);
  expect(light.length).toBeGreaterThan(3);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await coloursOf(code);
  expect(dark.length).toBe(light.length);
  expect(dark.filter((colour) => light.includes(colour))).toEqual([]);
  expect(await policy()).toEqual([]);
  expect(await page.evaluate(() => Reflect.get(window, '__p'))).toBeUndefined();
});

test('a language nobody knows, none, and a block of thousands of lines stay plain', async ({
  page,
  server,
  model,
}) => {
  const view = await open(page, server);
  const huge = 'const a = 1;\n'.repeat(4_001);
  model.answer([
    { text: [fence('ts', CODE), fence('nosuch', CODE), fence('', CODE), fence('js', huge)].join('\n') },
  ]);
  await view.send('go');
  const blocks = view.conversation.locator('pre code');
  await expect(view.status).toHaveText('idle');
  await page.reload();
  await expect(blocks).toHaveCount(4);
  await view.conversation.press('Home');
  // all are near now, and what comes first on the page is read last
  await expect(blocks.first().locator('span').first()).toBeVisible();
  for (const at of [1, 2, 3]) await expect(blocks.nth(at).locator('span')).toHaveCount(0);
});

test('a block far from the view is read when the reader comes near it', async ({ page, server, model }) => {
  const view = await open(page, server);
  const prose = 'A paragraph of words.\n\n'.repeat(200);
  model.answer([{ text: `${fence('ts', CODE)}\n${prose}${fence('ts', 'let z = 1;')}` }]);
  await view.send('go');
  await expect(view.status).toHaveText('idle');
  await page.reload();
  const blocks = view.conversation.locator('pre code');
  await expect(blocks.last().locator('span').first()).toBeVisible();
  await expect(blocks.first().locator('span')).toHaveCount(0);
  await view.conversation.press('Home');
  await expect(blocks.first().locator('span').first()).toBeVisible();
});

test('Copy takes exactly the code, coloured or not', async ({ page, context, server, model }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const view = await open(page, server);
  model.answer([{ text: fence('ts', CODE) }]);
  await view.send('go');
  await expect(view.conversation.locator('pre code span').first()).toBeVisible();
  await view.conversation.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(view.conversation.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE);
});

test('Wrap shows the whole of a long line, by keyboard, in every block, and stays chosen', async ({
  page,
  server,
  model,
}) => {
  const view = await open(page, server);
  const long = `echo ${'word '.repeat(120)}`;
  model.answer([{ text: `${fence('sh', long)}\n${fence('text', long)}` }]);
  await view.send('go');
  const blocks = view.conversation.locator('pre');
  const wraps = view.conversation.getByRole('button', { name: 'Wrap' });
  await expect(wraps).toHaveCount(2);
  const overflowing = () =>
    blocks.evaluateAll((all) => all.filter((block) => block.scrollWidth > block.clientWidth).length);
  expect(await overflowing()).toBe(2);

  await wraps.first().focus();
  await page.keyboard.press('Enter');
  await expect(wraps.first()).toHaveAttribute('aria-pressed', 'true');
  await expect(wraps.last()).toHaveAttribute('aria-pressed', 'true');
  expect(await overflowing()).toBe(0);

  await page.reload();
  await expect(wraps.first()).toHaveAttribute('aria-pressed', 'true');
  expect(await overflowing()).toBe(0);
  await wraps.last().focus();
  await page.keyboard.press('Space');
  await expect(wraps.first()).toHaveAttribute('aria-pressed', 'false');
  expect(await overflowing()).toBe(2);
});

test('a selection in what is being written stays while more is written', async ({ page, server, model }) => {
  const view = await open(page, server);
  const more = new Gate();
  model.answer([
    { text: 'The first words of a **long** paragraph' },
    { wait: more.opened },
    ...Array.from({ length: 40 }, (_, at) => ({ text: ` and ${at}` })),
    { text: ' to the end.' },
  ]);
  await view.send('go');
  const paragraph = view.conversation.locator('[data-item=agentMessage] p');
  await expect(paragraph.locator('strong')).toBeVisible();
  await expect(paragraph).toContainText('paragraph');
  await paragraph.evaluate((element) => {
    const text = element.lastChild as Text;
    document.getSelection()?.setBaseAndExtent(element.firstChild as Text, 4, text, text.length);
  });
  const selected = () => page.evaluate(() => document.getSelection()?.toString());
  expect(await selected()).toBe('first words of a long paragraph');
  more.open();
  await expect(paragraph).toContainText('to the end.');
  expect(await selected()).toBe('first words of a long paragraph');
});
