import { expect, test } from 'vitest';
import { called, expectGolden, goldenSession, said, withoutTools } from './golden-session.test-support.ts';

const STYLES = [
  ['freeform', 'gpt-5.5'],
  ['function', 'qwen3-coder-next'],
  ['lite', 'gpt-6.2-sol'],
] as const;

const LONG = `It is planned. ${'And there is much to say of it. '.repeat(200)}`;

test.each(STYLES)('%s: the request that sums up, and the one after it', async (style, model) => {
  const scene = await goldenSession(model, [
    [called('update_plan', { plan: [{ step: 'write', status: 'in_progress' }] })],
    [said(LONG)],
    [said('The people want a.txt. It is planned, not written.')],
    [said('I shall.')],
  ]);
  await scene.send('Plan how to write a.txt.');
  await scene.watcher.until((state) => scene.requests.length === 2 && state.turn === null);
  await scene.send('/compact');
  await scene.watcher.until(
    (state) =>
      state.turn === null &&
      state.items.some((item) => item.type === 'compaction' && item.status === 'completed'),
  );
  await scene.send('Write it.');
  await scene.watcher.until((state) => scene.requests.length === 4 && state.turn === null);
  const [, before, summing, after] = scene.requests.map(({ body }) => body);
  const { input: asked, ...rest } = summing as { input: unknown[] };
  const { input: known, ...same } = before as { input: unknown[] };
  // all but the end is what the provider has seen already
  expect(rest).toEqual(same);
  expect(asked.slice(0, known.length)).toEqual(known);
  expect(after?.prompt_cache_key).toBe(before?.prompt_cache_key);
  await expectGolden(`${style}-compaction`, withoutTools(scene.golden(2)));
  await expectGolden(`${style}-after-compaction`, withoutTools(scene.golden(3)));
  await scene.session.unload('shutdown');
});
