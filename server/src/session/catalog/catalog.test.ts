import { expect, test } from 'vitest';
import { openTestHome, sessionId, writeSession } from './session-files.test-support.ts';

const EVERYTHING = { archived: false, scope: null, find: null, cursor: null, limit: 50 };

test('Chinese and English phrases are found in one of 2,000 sessions', async () => {
  const home = openTestHome();
  for (let n = 0; n < 2000; n++)
    writeSession(home, n, [
      `Look into ticket ${n} 请查看工单`,
      `Ticket ${n} was about caching 缓存失效的问题`,
    ]);
  writeSession(home, 777, ['Why does the flux capacitor overheat? 为什么数据库迁移失败', '因为连接池太小。']);
  const catalog = home.catalog();
  catalog.start();
  await catalog.settled;
  expect(catalog.indexing).toBe(null);
  for (const q of [
    'flux capacitor',
    'FLUX',
    '数据库迁移',
    '迁移',
    '连接池',
    'capacitor 失败',
    '"flux capacitor"',
  ]) {
    const { sessions, cut } = catalog.search(q, null, 10);
    expect([q, cut, sessions.map(({ row }) => row.id)]).toEqual([q, false, [sessionId(777)]]);
  }
  expect(catalog.list(EVERYTHING).rows).toHaveLength(50);
  expect(home.faults).toEqual([]);
});
