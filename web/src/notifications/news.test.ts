import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { type Known, newsIn } from './news.ts';

type Seen = Partial<Pick<SessionSummary, 'status' | 'lastTurn'>> & { asks?: string[] };

function listed(sessions: Record<string, Seen>): WorkspaceSummary[] {
  const summaries = Object.entries(sessions).map(([id, { asks = [], ...more }]) => ({
    id,
    title: `Title ${id}`,
    status: 'idle' as const,
    lastTurn: null,
    model: null,
    createdAt: '1',
    lastActivityAt: '1',
    ...more,
    asks: asks.map((ask) => ({
      id: ask,
      kind: 'approval' as const,
      text: 'rm -rf /',
      cut: false,
      openedAt: '1',
    })),
  }));
  const board = { enabled: false, path: '', version: null };
  return [{ id: 'w', name: 'Lab', dir: '~/lab', revision: '1', permissions: {}, board, sessions: summaries }];
}
const ended = (id: string, status: 'completed' | 'failed' | 'interrupted' = 'completed') => ({
  lastTurn: { id, status, at: '1' },
});

/** What each look after the first has to tell. */
function told(...looks: Record<string, Seen>[]): string[][] {
  let known: Known | null = null;
  return looks
    .map((look) => {
      const found = newsIn(known, listed(look));
      known = found.known;
      return found.news.map(({ key }) => key);
    })
    .slice(1);
}

test.each<[string, Seen, Seen, string[]]>([
  ['a turn that ends well is done', { status: 'running' }, ended('t1'), ['done t1']],
  ['one that ends badly has failed', { status: 'running' }, ended('t1', 'failed'), ['failed t1']],
  ['one that somebody stopped is no news', { status: 'running' }, ended('t1', 'interrupted'), []],
  [
    'also where a command goes on',
    { status: 'running' },
    { status: 'sleeping', ...ended('t1') },
    ['done t1'],
  ],
  ['one that was over before is no news', ended('t1'), ended('t1'), []],
  ['a turn so short that it was never seen running is done', ended('t1'), ended('t2'), ['done t2']],
  ['an ask waits', { status: 'running' }, { status: 'asking', asks: ['a1'] }, ['waiting a1']],
  ['each ask waits for itself', { asks: ['a1'] }, { asks: ['a1', 'a2', 'a3'] }, ['waiting a2', 'waiting a3']],
  ['an ask that was answered is no news', { status: 'asking', asks: ['a1'] }, { status: 'running' }, []],
])('%s', (_what, before, after, news) => {
  expect(told({ s: before }, { s: after })).toEqual([news]);
});

test('nothing is new to a page that has just been opened, nor in a session it sees for the first time', () => {
  const first = newsIn(null, listed({ s: { ...ended('t1'), asks: ['a1'] } }));
  expect(first.news).toEqual([]);
  expect(told({}, { s: { ...ended('t1'), asks: ['a1'] } })).toEqual([[]]);
});

test('while the next turn of the queue runs nothing is done; at the end it is told once', () => {
  expect(
    told(
      { s: { status: 'running' } },
      { s: { status: 'running', ...ended('t1') } },
      { s: { status: 'running', ...ended('t2') } },
      { s: ended('t3') },
      { s: ended('t3') },
    ),
  ).toEqual([[], [], ['done t3'], []]);
});

test('an end that is told before the status says so is not lost', () => {
  expect(
    told({ s: { status: 'running' } }, { s: { status: 'running', ...ended('t1') } }, { s: ended('t1') }),
  ).toEqual([[], ['done t1']]);
});

test('an ask that a starting server tells of a little later is not new again', () => {
  expect(told({ s: { asks: ['a1'] } }, { s: {} }, { s: { status: 'asking', asks: ['a1'] } })).toEqual([
    [],
    [],
  ]);
});

test('what is told names session and workspace, and nothing of what was said', () => {
  const { known } = newsIn(null, listed({ s: {} }));
  const { news } = newsIn(known, listed({ s: { asks: ['a1'] } }));
  expect(news).toEqual([
    {
      key: 'waiting a1',
      kind: 'waiting',
      workspace: { id: 'w', name: 'Lab' },
      session: { id: 's', title: 'Title s' },
      ask: { id: 'a1', kind: 'approval' },
    },
  ]);
});
