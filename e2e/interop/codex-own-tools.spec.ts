/** What only this server can do, for the agent of the real Codex: its board and its clock. */
import { expect } from '@playwright/test';
import { answered, notices, said } from '../support/conversation.ts';
import type { ModelRequest } from '../support/fake-model.ts';
import { CODEX, test } from './codex-stage.ts';
import { told } from './stage.ts';

test('Codex knows the board, and is woken by the clock that it has set', async ({
  box,
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  const clock = (period_m: number | null) => ({ call: 'clock', args: { period_m } });
  model.answer([clock(0.1)], [{ text: 'Set.' }], [clock(null)], [{ text: 'Nothing new.' }]);
  await server.send(id, 'look after it');
  const set = await server.until(id, (state) => answered(state).includes('Set.'));
  expect(boardIn(model.requests[0])).toEqual([`<board path="${box.workDir}/board.html">`]);
  expect(set.clock).toMatchObject({ periodMinutes: 0.1 });
  expect(set.items.find(({ type }) => type === 'toolCall')).toMatchObject({
    ...{ status: 'completed', name: 'clock', output: '{"enabled":true,"period_m":0.1}' },
  });
  const woken = await server.until(id, (state) => answered(state).includes('Nothing new.'));
  expect(told(model.requests.at(-1)).slice(-4)).toEqual([
    ...['assistant: Set.', expect.stringMatching(/^user: <clock_tick>/)],
    ...['call of clock', 'output of clock: {"enabled":false,"period_m":null}'],
  ]);
  expect(boardIn(model.requests.at(-1))).toHaveLength(1);
  expect(woken).toMatchObject({ clock: null });
  expect(said(woken)).toEqual(['look after it']);
  expect(notices(woken).map(({ code }) => code)).toContain('wake.clock');

  // nobody has said what woke it, after a restart either
  expect(await server.kill('SIGTERM')).toBe(0);
  const again = await serveWithCodex();
  expect(said(await again.state(id))).toEqual(['look after it']);
});

/** Where it is told that the board lies, each time it is told. */
function boardIn(request: ModelRequest | undefined): string[] {
  const texts = JSON.stringify(request?.input).replaceAll('\\"', '"');
  return texts.match(/<board path="[^"]*">/g) ?? [];
}
