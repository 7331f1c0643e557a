/** How images look, in both colour schemes and on a phone: pictures for people, and axe for what can be measured. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { paint } from '../support/pictures.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

const sizes = { phone: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } };

async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${size}.png`) });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflow, `${name} is wider than its window, ${size}`).toBeLessThanOrEqual(0);
    }
    const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
    const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([]);
  }
}

test('images in the composer, in the conversation, large, and while they are dragged', async ({
  page,
  server,
  model,
}, info) => {
  // three looks, each measured twice
  test.setTimeout(600_000);
  const view = await WorkspaceView.open(page, server, await server.newSession());
  const add = page.locator('input[type=file]');
  const pictures = [
    await paint(page, 'wide.png', { width: 1200, height: 500 }),
    await paint(page, 'tall.png', { width: 300, height: 900 }),
    await paint(page, 'glass.png', { width: 400, height: 300, hole: true }),
  ];
  await add.setInputFiles(pictures);
  const attached = page.getByRole('list', { name: 'Attached images' });
  await expect(attached.getByText('uploaded', { exact: true })).toHaveCount(3);
  model.answer([{ text: 'I see three flags.' }], 'silence');
  await view.send('What do these three have in common?');
  await expect(view.conversation).toContainText('three flags');
  await view.send('go on');
  await model.asked(2);
  await add.setInputFiles(pictures.slice(0, 1));
  await expect(attached.getByText('uploaded', { exact: true })).toHaveCount(1);
  await view.send('and this one?');
  await view.waiting('steer').waitFor();
  await page.route('**/attachments?*', (route) => route.abort());
  await view.message.fill('Half a thought about these');
  await add.setInputFiles(pictures.slice(1));
  await expect(attached.getByText('not uploaded')).toHaveCount(2);
  await page.unroute('**/attachments?*');
  await attached.getByRole('button', { name: 'Upload tall.png again' }).click();
  await expect(attached.getByText('uploaded', { exact: true })).toHaveCount(1);
  await look(page, info, 'images');

  await view.conversation.getByRole('button', { name: 'wide.png' }).click();
  await expect(page.getByRole('dialog', { name: 'Image: wide.png' })).toBeVisible();
  await look(page, info, 'image-large');
  await page.keyboard.press('Escape');

  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
    document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
  });
  await expect(page.getByText('Drop images here')).toBeVisible();
  await look(page, info, 'image-drop');
});
