import { expect, test } from 'vitest';
import { pageLanguageOf } from './page-language.ts';
import { startServer } from './test-server.test-support.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['ZH', 'zh'],
  ['de, zh-TW;q=0.7, en;q=0.3', 'zh'],
  ['en-GB,zh;q=0.9', 'en'],
  ['zh;q=0.2, en;q=0.9', 'en'],
  ['zh;q=0', 'en'],
  ['zhx', 'en'],
  [',;q=,q', 'en'],
])('%s → %s', (header, language) => {
  expect(pageLanguageOf({ headers: header === undefined ? {} : { 'accept-language': header } })).toBe(
    language,
  );
});

test('an error page is titled in the browser’s language', async () => {
  const server = await startServer();
  const cookie = await server.login();
  const page = async (language: string) =>
    (await server.request('GET', '/board-of-nobody', { headers: { cookie, 'accept-language': language } }))
      .text;
  expect(await page('zh-CN')).toContain('<html lang="zh-CN">');
  expect(await page('zh-CN')).toContain('<h1>没有找到</h1>');
  expect(await page('en')).toContain('<html lang="en">');
  expect(await page('en')).toContain('<h1>Not found</h1>');
});
