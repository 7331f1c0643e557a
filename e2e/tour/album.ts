/** Takes the pictures: each scene wide and on a phone, in light and in dark. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import UPNG from 'upng-js';
import type { Language } from './story.ts';

const directory = join(import.meta.dirname, '../../docs/tour');

const sizes = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };

/** `docs/tour/NAME-LANGUAGE-SIZE-SCHEME.png` */
export async function picture(page: Page, name: string, language: Language): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => document.fonts.ready);
      const path = join(directory, `${name}-${language}-${size}-${colorScheme}.png`);
      await writeFile(path, small(await page.screenshot({ animations: 'disabled', caret: 'hide' })));
    }
  }
  await page.setViewportSize(sizes[1440]);
}

/** With 256 colours: less than half the bytes, and nobody sees it. */
function small(png: Buffer): Buffer {
  const image = UPNG.decode(png);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image).slice(0, 1), image.width, image.height, 256));
}
