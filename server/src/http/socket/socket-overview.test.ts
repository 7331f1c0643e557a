import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeWorkspaces } from '../fake-workspaces.test-support.ts';
import { OverviewFeed } from './overview-feed.ts';
import { Presence } from './presence.ts';
import type { SocketLink } from './socket-link.ts';
import { SocketOverview } from './socket-overview.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const workspaces = new FakeWorkspaces();
  const made = vi.spyOn(workspaces, 'list');
  const feed = new OverviewFeed(workspaces);
  const socket = () => {
    const sent: string[] = [];
    const link = { congested: false, send: (text: string) => sent.push(text), forget: () => undefined };
    return { sent, overview: new SocketOverview(link as unknown as SocketLink, feed, new Presence()) };
  };
  return { workspaces, made, socket };
}
const overviews = (sent: readonly string[]) => sent.filter((frame) => frame.startsWith('{"type":"overview"'));

test('who asks again and again is answered at once, and then once in a while', () => {
  const { made, socket } = open();
  const { sent, overview } = socket();
  for (let n = 0; n < 1000; n++) overview.start();
  expect(overviews(sent)).toHaveLength(1);
  vi.advanceTimersByTime(100);
  expect(overviews(sent)).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(overviews(sent)).toHaveLength(2);
  expect(made.mock.calls.length).toBeLessThanOrEqual(2);
  overview.start();
  expect(overviews(sent)).toHaveLength(3);
  overview.start();
  overview.stop();
  vi.advanceTimersByTime(1000);
  expect(overviews(sent)).toHaveLength(3);
});

test('the overview is made once for many that ask, and anew after a change', () => {
  const { workspaces, made, socket } = open();
  const sockets = Array.from({ length: 20 }, socket);
  for (const { overview } of sockets) overview.start();
  expect(made).toHaveBeenCalledTimes(1);
  workspaces.boardVersion = 'v2';
  workspaces.changed();
  const late = socket();
  late.overview.start();
  expect(overviews(late.sent)[0]).toContain('v2');
  vi.advanceTimersByTime(100);
  for (const { sent } of sockets) expect(overviews(sent).at(-1)).toContain('v2');
  expect(made.mock.calls.length).toBeLessThanOrEqual(3);
});
