import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { Signals } from './signals.ts';

test('one press counts once, the next one is the second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const emitter = new EventEmitter();
  const signals = new Signals(emitter);
  const seen: string[] = [];
  void signals.first.then((signal) => seen.push(`first ${signal}`));
  void signals.second.then((signal) => seen.push(`second ${signal}`));
  emitter.emit('SIGINT', 'SIGINT');
  emitter.emit('SIGINT', 'SIGINT');
  await signals.first;
  expect(seen).toEqual(['first SIGINT']);
  vi.advanceTimersByTime(600);
  emitter.emit('SIGTERM', 'SIGTERM');
  await signals.second;
  expect(seen).toEqual(['first SIGINT', 'second SIGTERM']);
  signals.stop();
  expect(emitter.eventNames()).toEqual([]);
  vi.useRealTimers();
});
