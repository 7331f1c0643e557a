import { HEARTBEAT_MS } from '@tscodex/shared/limits';
import { expect, test } from 'vitest';
import { type Ending, ProxyTrouble } from './proxy-trouble.ts';

const refused: Ending = { live: false, opened: false, closed: true, clean: false, quietMs: 5 };
const silent: Ending = { live: false, opened: true, closed: false, clean: false, quietMs: 10_000 };
const cut = (quietMs: number): Ending => ({ live: true, opened: true, closed: true, clean: false, quietMs });

/** What is suspected after each ending. */
const tell = (...endings: Ending[]) => {
  const trouble = new ProxyTrouble();
  return endings.map((ending) => {
    if (ending.live) trouble.cameUp();
    return trouble.ended(ending);
  });
};

test('Q50: three refusals in a row are a proxy that passes no WebSockets on', () => {
  expect(tell(refused, refused, refused)).toEqual([null, null, { kind: 'refused' }]);
  expect(tell(refused, refused, cut(20), refused, refused)).toEqual([null, null, null, null, null]);
});

test('two that open and bring nothing are a proxy that holds back', () => {
  expect(tell(silent, silent)).toEqual([null, { kind: 'silent' }]);
  expect(tell(silent, cut(20), silent)).toEqual([null, null, null]);
});

test('three cuts after the same quiet are a proxy with a timer', () => {
  expect(tell(cut(10_050), cut(10_003), cut(10_400))).toEqual([null, null, { kind: 'idle', seconds: 10 }]);
});

test('cuts of a bad network, of the server and of one that gave up are no timer', () => {
  expect(tell(cut(3_000), cut(9_000), cut(5_000)).at(-1)).toBeNull();
  expect(tell(cut(5_000), cut(5_000), cut(100), cut(5_000)).at(-1)).toBeNull();
  const goodbye = { ...cut(5_000), clean: true };
  expect(tell(goodbye, goodbye, goodbye).at(-1)).toBeNull();
  const gaveUp = { ...cut(5_000), closed: false };
  expect(tell(gaveUp, gaveUp, gaveUp).at(-1)).toBeNull();
});

test('a quiet time that was survived forgets the cuts before', () => {
  const trouble = new ProxyTrouble();
  trouble.ended(cut(5_000));
  trouble.ended(cut(5_000));
  trouble.outlivedQuiet();
  expect(trouble.ended(cut(5_000))).toBeNull();
});

test('the heartbeat keeps a connection through the shortest timers that proxies come with, a minute', () => {
  expect(HEARTBEAT_MS).toBeLessThanOrEqual(60_000 / 2);
});
