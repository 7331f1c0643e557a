import type { EventBody } from '@tscodex/shared/events';
import { expect, test } from 'vitest';
import type { ToolContext } from './tool.ts';
import { updatePlan } from './update-plan.ts';

function call(args: object) {
  const events: EventBody[] = [];
  const emit = (event: EventBody) => events.push(event);
  const context = { itemId: 'item', turnId: 'turn', emit } as unknown as ToolContext;
  return { events, result: updatePlan.call(JSON.stringify(args), context) };
}

test('a call is one plan item', async () => {
  const { events, result } = call({
    explanation: 'Tests come first.',
    plan: [
      { step: 'Write tests', status: 'completed' },
      { step: 'Write code', status: 'in_progress' },
      { step: 'Document', status: 'pending' },
    ],
  });
  expect(await result).toEqual({ output: 'Plan updated', success: true });
  expect(events).toEqual([
    {
      type: 'item.completed',
      item: {
        id: 'item',
        type: 'plan',
        turnId: 'turn',
        status: 'completed',
        startedAt: expect.any(String),
        completedAt: expect.any(String),
        explanation: 'Tests come first.',
        steps: [
          { step: 'Write tests', status: 'completed' },
          { step: 'Write code', status: 'inProgress' },
          { step: 'Document', status: 'pending' },
        ],
      },
    },
  ]);
});

test('only one step may be in progress', async () => {
  const step = { step: 'x', status: 'in_progress' };
  const { events, result } = call({ plan: [step, step] });
  expect(await result).toEqual({
    output: 'update_plan: 2 steps are in_progress, at most one may be; the plan is unchanged',
    success: false,
  });
  expect(events).toEqual([]);
});
