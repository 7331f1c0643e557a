import { expect, test } from 'vitest';
import type { ToolCallItem } from '../base/response-items.ts';
import type { Tool } from '../tools/tool.ts';
import { runToolCalls } from './tool-calls.ts';
import type { TurnContext, TurnPorts } from './turn-context.ts';

/** Calls of one tool that may run side by side, each held until the test lets it end. */
function scene(count: number) {
  const begun: string[] = [];
  const held = new Map<string, () => void>();
  const tool = {
    ...{ name: 'wait', parallel: true, shows: 'own' },
    call: (raw: string) => {
      begun.push(raw);
      return new Promise((resolve) => held.set(raw, () => resolve({ output: raw, success: true })));
    },
  } as unknown as Tool;
  const calls = Array.from({ length: count }, (_, i): ToolCallItem => {
    return { type: 'function_call', call_id: `c${i}`, name: 'wait', arguments: `${i}` };
  });
  const turn = { turnId: '0197f7a0-0000-7000-8000-000000000000', tools: [tool], history: [] };
  const stop = new AbortController();
  const recorded: unknown[][] = [];
  const record = async (items: unknown[]) => void recorded.push(items);
  const ports = { toolContext: () => ({ signal: stop.signal }), record };
  const run = runToolCalls(calls, turn as unknown as TurnContext, ports as unknown as TurnPorts, stop.signal);
  const end = async (raw: string) => {
    held.get(raw)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, end, run, stop, turn, recorded };
}

test('32 calls run side by side; the others begin in their order, one as one ends', async () => {
  const { begun, end, run, turn } = scene(34);
  expect(begun).toEqual(Array.from({ length: 32 }, (_, i) => `${i}`));
  await end('7');
  expect(begun.slice(32)).toEqual(['32']);
  await end('0');
  expect(begun.slice(32)).toEqual(['32', '33']);
  for (const raw of begun) await end(raw);
  await run;
  expect(turn.history).toHaveLength(34);
});

test('of thousands of calls 128 run, and the others are told so at once', async () => {
  const { begun, end, run, recorded } = scene(3000);
  expect(recorded).toHaveLength(1);
  expect(recorded[0]).toHaveLength(3000 - 128);
  expect(recorded[0]?.[0]).toMatchObject({ call_id: 'c128', output: expect.stringMatching(/^Not run: /) });
  await end('none');
  expect(begun).toHaveLength(32);
  for (const raw of begun) await end(raw);
  await run;
  expect(begun).toHaveLength(128);
  expect(recorded).toHaveLength(1 + 128);
});

test('what had not begun when the turn was interrupted never does', async () => {
  const { begun, end, run, stop } = scene(40);
  const ended = expect(run).rejects.toBe('interrupted');
  stop.abort('interrupted');
  for (const raw of [...begun]) await end(raw);
  await ended;
  expect(begun).toHaveLength(32);
});
