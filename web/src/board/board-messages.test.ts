import { expect, test } from 'vitest';
import { readBoardMessage } from './board-messages.ts';

test('a board may say that it has loaded and how far it is scrolled', () => {
  expect(readBoardMessage({ type: 'tscodex.board.ready' })).toEqual({ type: 'ready' });
  expect(readBoardMessage({ type: 'tscodex.board.scroll', x: 0, y: 120.5 })).toEqual({
    type: 'scroll',
    scroll: { x: 0, y: 120.5 },
  });
});

test.each([
  null,
  'tscodex.board.ready',
  [],
  { type: 'navigate', to: 'https://evil.example' },
  { type: 'tscodex.board.scroll', x: 'a', y: 1 },
  { type: 'tscodex.board.scroll', x: 0, y: Number.NaN },
  { type: 'tscodex.board.scroll' },
])('%j is not heard', (data) => {
  expect(readBoardMessage(data)).toBeNull();
});
