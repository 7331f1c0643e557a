/** Q49, O-F6: behind the real nginx and the real Caddy, with the examples under `deploy/`, at `/a/b/`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test as base } from '../support/browser-stage.ts';
import { Gate } from '../support/gate.ts';
import { paint } from '../support/pictures.ts';
import type { RunningServer } from '../support/server.ts';
import { PREFIX, type Program, WebServer } from '../support/web-server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

type Fixtures = { serve: (program: Program, server: RunningServer) => Promise<WebServer> };

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names a fixture needs from here
  serve: async ({}, use) => {
    const started: WebServer[] = [];
    await use(async (program, server) => {
      const web = await WebServer.start(program, Number(new URL(server.url).port));
      started.push(web);
      return web;
    });
    for (const web of started) await web.stop();
  },
});

const flags = ['--base-path', PREFIX, '--trust-proxy'];

for (const program of ['nginx', 'caddy'] as const) {
  test(`${program}: in by link and by password, and all of a workspace`, async ({
    page,
    box,
    start,
    serve,
    model,
  }) => {
    await mkdir(join(box.workDir, '.tscodex'));
    const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    await writeFile(join(box.workDir, '.tscodex/dot.svg'), dot);
    await writeFile(
      join(box.workDir, '.tscodex/demo.html'),
      '<h1>Our board</h1><img id="dot" src="dot.svg">',
    );
    const server = await start(...flags);
    const web = await serve(program, server);
    const asked: string[] = [];
    const failed: string[] = [];
    page.on('request', (request) => {
      // what the page made itself, a preview, asks nobody
      if (!request.url().startsWith('blob:')) asked.push(request.url());
    });
    page.on('websocket', (socket) => asked.push(socket.url().replace(/^ws/, 'http')));
    page.on('response', (answer) => {
      if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
    });

    // the link, without a slash at the end of the path, then the password
    await page.goto(`${web.url}/login#token=${server.token}`);
    await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible();
    await expect(page).toHaveURL(`${web.url}/`);
    await page.getByRole('button', { name: 'You', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    const password = page.getByRole('textbox', { name: 'Password' });
    await expect(password).toBeVisible();
    await page.goto(web.url);
    await password.fill(server.token);
    await password.press('Enter');
    await expect(page).toHaveURL(`${web.url}/`);

    // an answer is shown while it comes
    await page.getByRole('link', { name: 'demo' }).click();
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    const view = new WorkspaceView(page);
    const gate = new Gate();
    model.answer([{ text: 'The first half, ' }, { wait: gate.opened }, { text: 'and the second: $x^2$.' }]);
    await view.send('go on');
    await expect(view.conversation).toContainText('The first half');
    gate.open();
    await expect(view.conversation.locator('.katex')).toBeVisible();
    await expect(view.status).toHaveText('idle');

    // the board and what lies beside it
    await expect(view.boardPage.getByRole('heading', { name: 'Our board' })).toBeVisible();
    const dotWidth = () =>
      view.boardPage.locator('#dot').evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(dotWidth).toBe(9);

    // a picture goes up and comes back, and so does one that is larger than nginx takes by itself
    const photo = await paint(page, 'photo.png', { width: 1000, height: 700, noise: true });
    await page.locator('input[type=file]').setInputFiles([photo]);
    const attached = page.getByRole('list', { name: 'Attached images' });
    await expect(attached.getByText('uploaded', { exact: true })).toBeVisible();
    await view.send('look at this');
    const shown = view.conversation.getByRole('img', { name: /^photo\./ });
    await expect(shown).toBeVisible();
    await expect
      .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(photo.buffer.length).toBeGreaterThan(1024 * 1024);
    const whole = await page.request.post(`${web.url}/api/workspaces/demo/attachments?name=whole.png`, {
      headers: { origin: new URL(web.url).origin, 'content-type': photo.mimeType },
      data: photo.buffer,
    });
    expect(whole.status()).toBe(201);

    const cookies = await page.context().cookies(web.url);
    expect(cookies.map(({ path }) => path)).toEqual(cookies.map(() => PREFIX));
    const outside = (path: string) => !(path.startsWith(`${PREFIX}/`) || path === PREFIX);
    expect(asked.filter((url) => outside(new URL(url).pathname))).toEqual([]);
    expect(asked.some((url) => url === `${web.url}/api/socket`)).toBe(true);
    expect(failed.filter((line) => !/^401 .*\/api\/(me|workspaces)/.test(line))).toEqual([]);

    await page.close();
    // the first is this test's own, which asked whether it had started
    const [own, ...seen] = await web.stop();
    expect(own).toBe('/');
    expect(seen.filter(outside)).toEqual([]);
    expect(seen).toContain(`${PREFIX}/api/socket`);
  });
}
