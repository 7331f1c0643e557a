import { expect, test } from 'vitest';
import { clock } from './clock.ts';
import type { ToolContext } from './tool.ts';

async function call(args: string) {
  const set: (number | null)[] = [];
  const context = { setClock: async (minutes: number | null) => void set.push(minutes) };
  return { ...(await clock.call(args, context as unknown as ToolContext)), set };
}

test('a period sets it, null ends it', async () => {
  expect(await call('{"period_m": 5}')).toEqual({
    ...{ output: '{"enabled":true,"period_m":5}', success: true, set: [5] },
  });
  expect(await call('{"period_m": null}')).toEqual({
    ...{ output: '{"enabled":false,"period_m":null}', success: true, set: [null] },
  });
});

test.each([
  ['{"period_m": 1e9}', 'the longest period is 10080 minutes'],
  ['{"period_m": 0}', 'the shortest period is 0.1 minutes'],
  ['{"period_m": -5}', 'the shortest period is 0.1 minutes'],
  ['{"period_m": 1e999}', 'period_m must be a number of minutes'],
  ['{"period_m": "5"}', 'period_m must be a number of minutes'],
  ['{}', 'period_m must be a number of minutes'],
  ['', 'period_m must be a number of minutes'],
  ['{"period_m": 5, "once": true}', 'once'],
])('%s is refused in words', async (args, why) => {
  const { output, success, set } = await call(args);
  expect(output).toContain(why);
  expect([success, set]).toEqual([false, []]);
});
