import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { flushed } from './flushed.ts';

/** As somebody that does not read. */
const deaf = () => new Writable({ write: () => undefined });

test('what was written is waited for, however long nobody reads', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  stream.write('first');
  stream.write('last');
  let over = false;
  const done = flushed([stream], new AbortController().signal, 0).then(() => {
    over = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(over).toBe(false);
  stream.resume();
  await done;
});

test.for(['before', 'while'])('a process that was stopped %s it waits gives up', async (when) => {
  const stopped = new AbortController();
  const stream = deaf();
  stream.write('never taken');
  if (when === 'before') stopped.abort();
  const done = flushed([stream], stopped.signal, 1);
  stopped.abort();
  await done;
});
