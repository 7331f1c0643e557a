import type { EventBody } from '@tscodex/shared/events';
import { expect, test } from 'vitest';
import { Failure } from '../base/errors.ts';
import type { RunningProcess } from '../exec/running-process.ts';
import { CommandItem } from './command-item.ts';
import type { ToolContext } from './tool.ts';

test('a command that its sandbox could not start says why, in place of what the sandbox printed', async () => {
  const events: EventBody[] = [];
  const emit = (event: EventBody) => events.push(event);
  const item = new CommandItem(
    { itemId: 'i', turnId: 't', emit } as unknown as ToolContext,
    'ls',
    '/w',
    'none',
  );
  const failure = new Failure('unavailable', 'sandbox.start', 'nothing was run, there is no room');
  const exited = Promise.resolve({ exitCode: 1, signal: null, failure });
  item.grow('bwrap: no room', 0);
  item.follow({ exited, startedAt: new Date(), stopped: false } as unknown as RunningProcess);
  await exited;
  expect(events.at(-1)).toMatchObject({
    type: 'item.completed',
    item: { status: 'failed', output: 'nothing was run, there is no room' },
  });
});
