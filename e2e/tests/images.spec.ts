/** Images: pasted, dropped or picked, sent to the model, shown small and large, from our own server alone. */
import { randomUUID } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import type { ModelRequest } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { DOT, hand, type PictureFile, paint, putImage, turned } from '../support/pictures.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

const attached = (page: Page) => page.getByRole('list', { name: 'Attached images' });
const pick = (page: Page, files: PictureFile[] | string) =>
  page.locator('input[type=file]').setInputFiles(files);
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

async function expectReady(page: Page, count: number): Promise<void> {
  await expect(attached(page).getByText('uploaded', { exact: true })).toHaveCount(count);
}

type Part = { type: string; image_url?: string };
/** The images of a request, as they went. */
function imagesIn(request: ModelRequest | undefined): string[] {
  return (request?.input ?? []).flatMap(({ content, output }) => {
    const parts = (content ?? output) as Part[] | string | undefined;
    if (!Array.isArray(parts)) return [];
    return parts.filter(({ type }) => type === 'input_image').map(({ image_url }) => image_url ?? '');
  });
}
const dataUrl = ({ mimeType, buffer }: PictureFile) => `data:${mimeType};base64,${buffer.toString('base64')}`;
const attachmentsOf = ({ items }: SessionState) =>
  items.flatMap((item) => (item.type === 'userMessage' && 'attachments' in item ? item.attachments : []));

test('pasted, kept over a reload, sent with its words, shown from our own server alone', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: 'A flag. ![elsewhere](http://127.0.0.1:9/beacon.png)' }]);
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(server.url).origin) foreign.push(request.url());
  });
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  const flag = await paint(page, 'flag.png');
  await view.message.fill('What is this?');
  await hand('paste', view.message, [flag]);
  await expectReady(page, 1);
  await page.reload();
  await expect(view.message).toHaveValue('What is this?');
  await expectReady(page, 1);
  await expect(attached(page).getByRole('img', { name: 'flag.png' })).toBeVisible();
  await view.message.press('Enter');

  await expect(view.conversation).toContainText('A flag.');
  await expect(attached(page)).toHaveCount(0);
  expect(imagesIn(model.requests[0])).toEqual([dataUrl(flag)]);
  const image = view.conversation.getByRole('img', { name: 'flag.png' });
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(60);
  expect(foreign).toEqual([]);
  await expect(view.conversation.getByRole('link', { name: 'Image: elsewhere' })).toBeVisible();
  // the page gets no bytes but by the image's own address
  expect(JSON.stringify(await server.state(session))).not.toContain('base64');
  await page.reload();
  await expect(attached(page)).toHaveCount(0);
  await expect(view.conversation.getByRole('img', { name: 'flag.png' })).toBeVisible();
});

test('words that were copied with a picture of them are pasted as words', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server);
  await hand('paste', view.message, [await paint(page, 'cells.png')], 'a\tb');
  await hand('paste', view.message, [await paint(page, 'real.png')]);
  await expectReady(page, 1);
  await expect(attached(page).getByRole('img')).toHaveAccessibleName('real.png');
});

test('dropped and picked; an image alone makes a session; what is removed does not go along', async ({
  page,
  server,
  model,
}) => {
  const view = await WorkspaceView.open(page, server);
  const [one, two] = [await paint(page, 'one.png'), await paint(page, 'two.webp', { type: 'image/webp' })];
  await hand('drop', page.locator('body'), [one]);
  await expectReady(page, 1);
  await expect(view.message).toBeFocused();
  await pick(page, [two, DOT]);
  await expectReady(page, 3);
  await attached(page).getByRole('button', { name: 'Remove two.webp' }).press('Enter');
  await expect(attached(page).getByRole('button', { name: 'Remove dot.gif' })).toBeFocused();
  await send(page).click();
  await expect(view.conversation).toContainText('OK.');
  expect(imagesIn(model.requests[0])).toEqual([dataUrl(one), dataUrl(DOT)]);
  await expect(view.sessions.getByRole('tab')).toHaveCount(1);
  await expect(view.conversation.getByRole('img')).toHaveCount(2);
});

test('what comes while files are dragged says where they go', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server);
  const over = page.getByText('Drop images here');
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
    document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
  });
  await expect(over).toBeVisible();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
    document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true, dataTransfer }));
  });
  await expect(over).toHaveCount(0);
  await expect(view.message).toBeVisible();
});

test('what cannot be sent is refused with a sentence, and takes nothing else along', async ({
  page,
  server,
  box,
}) => {
  const view = await WorkspaceView.open(page, server);
  const alert = page.getByRole('alert');
  const file = (name: string, mimeType: string, content: string | Buffer) => [
    { name, mimeType, buffer: Buffer.from(content) },
  ];
  await view.message.fill('look');
  const good = await paint(page, 'good.png', { width: 100, height: 100, noise: true });
  await pick(page, [good]);
  await expectReady(page, 1);
  const refused: [PictureFile[], string][] = [
    [
      file('logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'logo.svg is no image that',
    ],
    [file('paper.pdf', 'application/pdf', '%PDF-1.7'), 'paper.pdf is no image that'],
    [file('photo.heic', 'image/heic', '\0\0\0\x18ftypheic'), 'photo.heic is no image that'],
    [file('fake.png', 'image/png', 'a few words'), 'fake.png is no image that'],
    [file('torn.png', 'image/png', good.buffer.subarray(0, 60)), 'torn.png is broken'],
    [file('empty.png', 'image/png', ''), 'empty.png is no image that'],
  ];
  for (const [files, sentence] of refused) {
    await pick(page, files);
    await expect(alert).toContainText(sentence);
  }
  const huge = join(box.dir, 'huge.png');
  await writeFile(huge, good.buffer);
  await truncate(huge, 200 * 1024 * 1024);
  await pick(page, huge);
  await expect(alert).toContainText('huge.png has 200 MiB; an image may have 64 MiB.');
  await pick(page, Array<PictureFile>(9).fill(DOT));
  await expect(alert).toContainText('A message takes 8 images.');
  await expectReady(page, 8);
  await expect(view.message).toHaveValue('look');
});

test('a photo is made smaller and turned upright, what is transparent stays so, what is small stays as it is', async ({
  page,
  server,
  model,
}) => {
  // millions of pixels, painted and compressed
  test.slow();
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  const photo = turned(await paint(page, 'photo.jpg', { width: 2600, height: 1950, type: 'image/jpeg' }));
  const glass = await paint(page, 'glass.png', { width: 2400, height: 240, hole: true });
  const noise = await paint(page, 'noise.png', { width: 900, height: 700, noise: true });
  const small = await paint(page, 'small.jpg', { type: 'image/jpeg' });
  await pick(page, [photo, glass, noise, small]);
  await expectReady(page, 4);
  await view.send('compare them');
  await expect(view.conversation).toContainText('OK.');
  const [sentPhoto, sentGlass, sentNoise, sentSmall] = attachmentsOf(await server.idle(session));
  expect(sentPhoto).toMatchObject({ name: 'photo.jpg', mediaType: 'image/jpeg', width: 1536, height: 2048 });
  expect(sentGlass).toMatchObject({ name: 'glass.png', mediaType: 'image/png', width: 2048, height: 205 });
  expect(sentNoise).toMatchObject({ name: 'noise.jpg', mediaType: 'image/jpeg', width: 900, height: 700 });
  expect(sentNoise?.bytes).toBeLessThan(noise.buffer.length);
  expect(sentSmall).toMatchObject({ mediaType: 'image/jpeg', bytes: small.buffer.length });
  const [photoUrl, glassUrl] = imagesIn(model.requests[0]);
  // turned to the right, what was on the left is above
  const [red = 0, , blue = 255] = await colourAt(page, photoUrl, 0.5, 0.25);
  expect(red).toBeGreaterThan(blue + 100);
  expect(await colourAt(page, glassUrl, 0.5, 0.5)).toEqual([0, 0, 0, 0]);
});

/** Of a picture, as parts of its width and height; JPEG is not exact. */
function colourAt(page: Page, url: string | undefined, x: number, y: number): Promise<number[]> {
  return page.evaluate(
    async ({ url, x, y }) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(image.width * x, image.height * y, 1, 1);
      return [...data];
    },
    { url: url ?? '', x, y },
  );
}

test('while the agent works, what waits shows its images; all of it survives kill -9', async ({
  page,
  box,
  start,
  model,
}) => {
  model.answer('silence');
  const server = await start();
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  await view.send('begin');
  await model.asked(1);
  await pick(page, [DOT]);
  await expectReady(page, 1);
  await view.send('steer with it');
  await expect(view.waiting('steer').getByRole('img', { name: '1 image' })).toBeVisible();
  await view.choose('Queue');
  await pick(page, [DOT, await paint(page, 'two.png')]);
  await expectReady(page, 2);
  await send(page).click();
  await expect(view.waiting('queue')).toContainText('2 images');
  // the page shows them before the server has them
  await server.until(session, ({ waiting }) => waiting.length === 2);
  await server.kill('SIGKILL');

  const again = await start();
  const state = await again.state(session);
  expect(state.waiting.map(({ text, attachments }) => [text, attachments.map(({ name }) => name)])).toEqual([
    ['steer with it', ['dot.gif']],
    ['', ['dot.gif', 'two.png']],
  ]);
  await again.idle(session);
  expect(imagesIn(model.requests.at(-1)).map((url) => url.slice(0, 14))).toEqual([
    'data:image/gif',
    'data:image/gif',
    'data:image/png',
  ]);
  expect(box.dir).not.toBe('');
});

test('view_image: the model sees it, and so do the people, small and large', async ({
  page,
  server,
  box,
  model,
}) => {
  const view = await WorkspaceView.open(page, server);
  const shot = await paint(page, 'shot.png', { width: 300, height: 200 });
  await writeFile(join(box.workDir, 'shot.png'), shot.buffer);
  model.answer(
    [
      { call: 'view_image', args: { path: 'shot.png' } },
      { call: 'view_image', args: { path: 'none.png' } },
    ],
    [{ text: 'Red and blue.' }],
  );
  await view.send('look at shot.png');
  await expect(view.conversation).toContainText('Red and blue.');
  expect(imagesIn(model.requests[1])).toEqual([dataUrl(shot)]);
  expect(JSON.stringify(model.requests[1]?.input)).toContain('there is no such file');
  await expect(view.conversation.getByText('shot.png', { exact: true })).toBeVisible();
  await expect(view.conversation.getByText('none.png')).toBeVisible();
  await view.conversation.getByRole('button', { name: 'shot.png' }).click();
  await expect(page.getByRole('dialog', { name: 'Image: shot.png' })).toBeVisible();
});

test('large: the arrows go on, a press zooms, Escape goes back to where one was', async ({
  page,
  server,
}) => {
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  await pick(page, [
    await paint(page, 'first.png', { width: 2000, height: 1900 }),
    await paint(page, 'second.png'),
  ]);
  await expectReady(page, 2);
  await view.send('two');
  const first = view.conversation.getByRole('button', { name: 'first.png' });
  await first.press('Enter');
  const dialog = page.getByRole('dialog');
  const picture = dialog.getByRole('img', { name: /png/ });
  await expect(dialog).toHaveAccessibleName('Image: first.png');
  await expect(dialog).toContainText('1 of 2');
  await expect(dialog).toContainText('2,000 × 1,900 pixels');
  const fits = await picture.boundingBox();
  expect(fits?.height).toBeLessThan(page.viewportSize()?.height ?? 0);
  await picture.click();
  expect((await picture.boundingBox())?.width).toBe(2000);
  await dialog.getByRole('button', { name: 'Fit to the window' }).click();
  await page.keyboard.press('ArrowRight');
  await expect(dialog).toHaveAccessibleName('Image: second.png');
  await expect(dialog.getByRole('button', { name: 'Next image' })).toBeDisabled();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(dialog).toHaveAccessibleName('Image: first.png');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(first).toBeFocused();
});

/** The answer's lines, more than a screen. */
const lines = Array.from({ length: 80 }, (_, i) => `Line ${i + 1}.\n\n`).join('');

test('O-F8: an image that loads late above does not move what is read', async ({ page, server, model }) => {
  model.answer([{ text: lines }]);
  const session = await server.newSession();
  const image = await putImage(server, await paint(page, 'late.png', { width: 800, height: 600 }));
  await server.api('POST', `api/sessions/${session}/inputs`, {
    ...{ id: randomUUID(), text: 'look', attachments: [image.id] },
  });
  await server.idle(session);
  const gate = new Gate();
  await page.route('**/attachments/**', async (route) => {
    await gate.opened;
    await route.continue();
  });
  const view = await WorkspaceView.open(page, server, session);
  const late = view.conversation.getByRole('img', { name: 'late.png' });
  const line = view.conversation.getByText('Line 5.', { exact: true });
  // so that the image is near enough to be loaded, and above
  await line.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  const before = await line.boundingBox();
  gate.open();
  await expect.poll(() => late.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(800);
  expect(await line.boundingBox()).toEqual(before);
});

test('an image that does not come says so in its place, and may be tried again', async ({ page, server }) => {
  const session = await server.newSession();
  const image = await putImage(server, await paint(page, 'gone.png'));
  await server.api('POST', `api/sessions/${session}/inputs`, {
    ...{ id: randomUUID(), text: 'look', attachments: [image.id] },
  });
  await server.idle(session);
  await page.route('**/attachments/**', (route) => route.abort());
  const view = await WorkspaceView.open(page, server, session);
  const broken = view.conversation.getByRole('button', { name: 'gone.png could not be loaded. Try again' });
  await expect(broken).toBeVisible();
  const box = await broken.boundingBox();
  await page.unroute('**/attachments/**');
  await broken.click();
  const thumbnail = view.conversation.getByRole('button', { name: 'gone.png', exact: true });
  await expect.poll(() => naturalWidth(thumbnail)).toBe(60);
  expect(await thumbnail.boundingBox()).toEqual(box);
});

function naturalWidth(thumbnail: Locator): Promise<number> {
  return thumbnail.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth);
}

test('a model that takes no images: what happened, and the way out', async ({ page, server, model }) => {
  const message = 'qwen3-8b is not a multimodal model';
  model.answer({ status: 400, body: JSON.stringify({ error: { message } }) });
  const view = await WorkspaceView.open(page, server);
  await pick(page, [DOT]);
  await expectReady(page, 1);
  await view.send('what is this?');
  await expect(view.conversation).toContainText('does not take the images of this conversation');
  await expect(view.conversation).toContainText('Choose a model that does with /model NAME');
});

test('a disk without room keeps no half of an image, and says so', async ({ page, box, model }) => {
  const disk = SmallDisk.mount(join(box.dir, 'small'));
  test.skip(disk === null, 'mounting needs root');
  if (!disk) return;
  const server = await box.start(['--state-dir', join(disk.dir, 'state')]);
  try {
    const noise = await paint(page, 'noise.png', { width: 500, height: 500, noise: true });
    await putImage(server, DOT);
    disk.fill();
    await expect(putImage(server, noise)).rejects.toThrow(/^503 .*image\.write.*Make room on the disk/);
    disk.makeRoom();
    await putImage(server, noise);
    expect(model.requests).toEqual([]);
  } finally {
    await server.kill();
    disk.unmount();
  }
});
