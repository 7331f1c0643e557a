// `node scripts/icons.mjs [CHROMIUM]`: draws the page's PNG icons from web/public/icon.svg. For who has changed that.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../e2e/package.json', import.meta.url))('@playwright/test');
const icons = new URL('../web/public/', import.meta.url);
const svg = readFileSync(new URL('icon.svg', icons), 'utf8');
// a launcher cuts its own shape out of these, and shows the middle four fifths for certain
const square = svg.replace(/ rx="\d+"/, '');
const drawings = [
  { name: 'icon-192.png', size: 192, svg },
  { name: 'icon-512.png', size: 512, svg },
  { name: 'icon-maskable-512.png', size: 512, svg: square },
  { name: 'apple-touch-icon.png', size: 180, svg: square },
];

const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] });
for (const { name, size, svg } of drawings) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  writeFileSync(new URL(name, icons), await page.screenshot({ omitBackground: true }));
}
await browser.close();
