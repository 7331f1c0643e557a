import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { AgentCalls } from '../agent-calls.ts';
import { ThreadNews } from './thread-news.ts';

const facts = { imagePath: (id: string) => id, clientId: () => null, calls: new AgentCalls('t') };
const command: Item = {
  ...{ id: 'c', type: 'commandExecution', turnId: 'one', status: 'inProgress', command: 'serve' },
  ...{ cwd: '/', output: '', outputBytes: 0, truncated: false, sandbox: 'none' },
  startedAt: '2026-12-01T00:00:00Z',
};

test('what a command writes is of the turn that started it, whatever runs then', () => {
  const news = new ThreadNews('t', facts);
  const startedAt = '2026-12-01T00:00:00Z';
  const writes = (delta: string) =>
    news
      .take({ type: 'item.delta', itemId: 'c', delta, field: 'output' })
      .map(({ params }) => [params.turnId, params.delta]);
  news.take({ type: 'turn.started', turn: { id: 'one', startedAt } });
  news.take({ type: 'item.started', item: command });
  expect(writes('a')).toEqual([['one', 'a']]);
  news.take({ type: 'turn.completed', turnId: 'one', status: 'completed', durationMs: 1 });
  expect(writes('b')).toEqual([['one', 'b']]);
  news.take({ type: 'turn.started', turn: { id: 'two', startedAt } });
  expect(writes('c')).toEqual([['one', 'c']]);
});
