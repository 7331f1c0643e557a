/** How images look, in both colour schemes and on a phone: pictures for people, and axe for what can be measured. */
import { expect } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { look } from '../support/look.ts';
import { paint } from '../support/pictures.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

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
  await look(page, info, 'images', []);

  await view.conversation.getByRole('button', { name: 'wide.png' }).click();
  await expect(page.getByRole('dialog', { name: 'Image: wide.png' })).toBeVisible();
  await look(page, info, 'image-large', []);
  await page.keyboard.press('Escape');

  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
    document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
  });
  await expect(page.getByText('Drop images here')).toBeVisible();
  await look(page, info, 'image-drop', []);
});
