/** O-F1: a link that breaks costs no word, shows none twice, and picks up where it was. */
import { expect, type Page } from '@playwright/test';
import type { ServerFrame } from '@tscodex/shared/socket';
import { test as base } from '../support/browser-stage.ts';
import { answered, said } from '../support/conversation.ts';
import { CutProxy } from '../support/cut-proxy.ts';
import { type Step, slowly } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import type { RunningServer } from '../support/server.ts';
import { SocketClient } from '../support/socket-client.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const test = base.extend<{ line: CutProxy }>({
  line: async ({ server }, use) => {
    const line = await CutProxy.start(server);
    await use(line);
    await line.stop();
  },
});

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `w${from + i} `).join('');
const plan: Step = { call: 'update_plan', args: { plan: [{ step: 'count', status: 'in_progress' }] } };

async function openThrough(page: Page, line: CutProxy, session: string): Promise<WorkspaceView> {
  const next = encodeURIComponent(`/w/demo/?session=${session}`);
  await page.goto(line.loginUrl.replace('login#', `login?next=${next}#`));
  const view = new WorkspaceView(page);
  await view.message.waitFor();
  return view;
}

/** The agent's paragraphs that count. */
function counted(view: WorkspaceView) {
  return view.conversation.getByRole('paragraph').filter({ hasText: /^w\d/ });
}

/** Waits until the server has got as far as `word`. */
function written(server: RunningServer, session: string, word: string) {
  return server.until(session, ({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text.includes(`${word} `)),
  );
}

test('two breaks in a stream', async ({ page, server, model, line }) => {
  model.answer([...slowly(words(1, 100)), plan], slowly(words(101, 200)));
  const session = await server.newSession();
  const view = await openThrough(page, line, session);
  await view.send('count');
  await expect(view.conversation).toContainText('w50 ');
  line.cut();
  await expect(view.status).toHaveText('connection lost');
  await written(server, session, 'w80');
  line.mend();
  await expect(view.conversation).toContainText('w120 ');
  line.cut();
  await written(server, session, 'w150');
  line.mend();
  await expect(view.status).toHaveText('idle');
  await expect(counted(view)).toHaveText([words(1, 100).trim(), words(101, 200).trim()]);
  await expect(view.conversation.getByRole('heading', { name: /^Plan/ })).toHaveCount(1);
});

test('Q3: the turn ends while the link is down', async ({ page, server, model, line }) => {
  const gate = new Gate();
  model.answer(
    [{ text: words(1, 50) }, { wait: gate.opened }, { text: words(51, 100) }, plan],
    [{ text: words(101, 200) }],
  );
  const session = await server.newSession();
  const view = await openThrough(page, line, session);
  await view.send('count');
  await expect(counted(view)).toHaveText([words(1, 50).trim()]);
  line.cut();
  gate.open();
  await server.idle(session);
  await expect(view.status).toHaveText('connection lost');
  line.mend();
  await expect(view.status).toHaveText('idle');
  await expect(counted(view)).toHaveText([words(1, 100).trim(), words(101, 200).trim()]);
});

test('more is missed than the server keeps', async ({ page, server, model, line }) => {
  const gate = new Gate();
  const more = Array.from({ length: 5_000 }, (_, i): Step => ({ text: `w${i + 2} ` }));
  model.answer([{ text: 'w1 ' }, { wait: gate.opened }, ...more]);
  const session = await server.newSession();
  const view = await openThrough(page, line, session);
  await view.send('count');
  await expect(counted(view)).toHaveText(['w1']);
  line.cut();
  gate.open();
  await server.idle(session);
  line.mend();
  await expect(counted(view)).toHaveText([words(1, 5_001).trim()]);
  await expect(view.status).toHaveText('idle');
});

test('the server restarts while the link is down', async ({ page, server, start, model, line }) => {
  model.answer([{ text: words(1, 50) }], [{ text: words(51, 100) }, { wait: new Promise(() => undefined) }]);
  const session = await server.newSession();
  const view = await openThrough(page, line, session);
  await view.send('count');
  await expect(counted(view)).toHaveText([words(1, 50).trim()]);
  await expect(view.status).toHaveText('idle');
  await view.send('go on');
  await expect(counted(view)).toHaveText([words(1, 50).trim(), words(51, 100).trim()]);
  line.cut();
  await server.kill();
  const again = await start();
  line.leadTo(again);
  const state = await again.until(session, ({ turn }) => turn === null);
  expect(said(state)).toEqual(['count', 'go on']);
  line.mend();

  await expect(view.conversation.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(view.conversation.getByText('count', { exact: true })).toHaveCount(1);
  await expect(view.conversation.getByText('go on', { exact: true })).toHaveCount(1);
  await expect(counted(view).first()).toHaveText(words(1, 50).trim());
  model.answer([{ text: words(101, 150) }]);
  await view.send('and further');
  await expect(counted(view).last()).toHaveText(words(101, 150).trim());
  await expect(view.status).toHaveText('idle');
  expect(said(await again.state(session))).toEqual(['count', 'go on', 'and further']);
});

/** What one WebSocket of a page brought about its session. */
type Brought = { bytes: number; frames: number };

function watchSockets(page: Page): Brought[] {
  const sockets: Brought[] = [];
  page.on('websocket', (socket) => {
    const brought = { bytes: 0, frames: 0 };
    sockets.push(brought);
    socket.on('framereceived', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as ServerFrame;
      if (frame.type !== 'events' && frame.type !== 'snapshot') return;
      brought.bytes += String(payload).length;
      brought.frames += 1;
    });
  });
  return sockets;
}

/** An answer of `count` items. */
const manyItems = (count: number): Step[] => [
  ...Array.from({ length: count - 1 }, (_, i): Step => ({ reasoning: `Thought ${i}` })),
  { text: 'Done.' },
];

async function finished(server: RunningServer, session: string, answer: string): Promise<void> {
  await server.until(session, (state) => answered(state).includes(answer) && state.status === 'idle');
}

test('thirty reconnects of a page to an idle session of 500 items', async ({ page, server, model, line }) => {
  const session = await server.newSession();
  model.answer(manyItems(499));
  await server.send(session, 'think');
  await finished(server, session, 'Done.');
  const sockets = watchSockets(page);
  const view = await openThrough(page, line, session);
  await expect(view.conversation).toContainText('Done.');
  for (let turn = 1; turn <= 30; turn++) {
    line.breakAll();
    await expect.poll(() => sockets[turn]?.frames, { intervals: [20] }).toBe(1);
  }
  const [first, ...later] = sockets.map(({ bytes }) => bytes);
  expect(first).toBeGreaterThan(10_000);
  expect(Math.max(...later)).toBeLessThan(200);

  await view.send('still there?');
  await expect(view.conversation).toContainText('OK.');
  await expect(view.conversation.getByText('Done.')).toHaveCount(1);
});

type Position = { epoch: string; after: number };

/** What a client is sent that comes back and has everything up to a position. */
async function resume(server: RunningServer, session: string, from?: Position) {
  const client = await SocketClient.connect(server);
  client.send({ type: 'subscribe', session, ...from });
  expect(await client.next()).toMatchObject({ type: 'subscribed' });
  const answer = await client.next();
  client.close();
  return { answer, bytes: JSON.stringify(answer).length };
}

async function positionOf(server: RunningServer, session: string): Promise<Position> {
  const { answer } = await resume(server, session);
  if (answer.type !== 'snapshot') throw new Error(`no snapshot: ${JSON.stringify(answer)}`);
  return { epoch: answer.epoch, after: answer.seq };
}

test('what a reconnect costs does not depend on the length of the session', async ({ server, model }) => {
  const costs: number[] = [];
  for (const count of [5, 50, 500]) {
    const session = await server.newSession();
    model.answer(manyItems(count - 1), [{ text: 'More.' }]);
    await server.send(session, 'think');
    await finished(server, session, 'Done.');
    const before = await positionOf(server, session);
    await server.send(session, 'more');
    await finished(server, session, 'More.');

    const missed = await resume(server, session, before);
    expect(missed.answer.type).toBe('events');
    costs.push(missed.bytes);
    const up = await resume(server, session, await positionOf(server, session));
    expect(up.answer).toMatchObject({ type: 'events', events: [] });
  }
  // numbers and times have more or fewer digits
  expect(Math.max(...costs) - Math.min(...costs)).toBeLessThan(300);
});

test('a position of another epoch, or one that never was, gets the whole session', async ({ server }) => {
  const session = await server.newSession();
  await server.send(session, 'hello');
  await finished(server, session, 'OK.');
  const { epoch, after } = await positionOf(server, session);
  for (const from of [
    { epoch: '00000000-0000-4000-8000-000000000000', after },
    { epoch, after: after + 1_000 },
  ])
    expect((await resume(server, session, from)).answer.type).toBe('snapshot');
});
