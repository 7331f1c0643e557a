import { expect, test } from 'vitest';
import { isOfModel } from './of-model.ts';
import { OneTurn } from './one-turn.ts';

const item = (state: string, type: string) => ({ method: `item/${state}`, params: { item: { type } } });

test.each([
  [{ method: 'item/agentMessage/delta', params: {} }, true],
  [{ method: 'item/reasoning/summaryTextDelta', params: {} }, true],
  [{ method: 'item/commandExecution/terminalInteraction', params: {} }, true],
  [{ method: 'turn/plan/updated', params: {} }, true],
  [{ method: 'thread/tokenUsage/updated', params: {} }, true],
  [item('started', 'commandExecution'), true],
  [item('started', 'webSearch'), true],
  [item('completed', 'agentMessage'), true],
  [item('completed', 'contextCompaction'), true],
  // beside it
  [{ method: 'item/commandExecution/outputDelta', params: {} }, false],
  [{ method: 'item/mcpToolCall/progress', params: {} }, false],
  [item('completed', 'commandExecution'), false],
  [item('completed', 'mcpToolCall'), false],
  [item('started', 'userMessage'), false],
  [item('completed', 'userMessage'), false],
  [item('started', 'contextCompaction'), false],
  [{ method: 'item/started', params: 'none' }, false],
  [{ method: 'turn/completed', params: {} }, false],
])('%o: %s', (notification, ofModel) => {
  expect(isOfModel(notification)).toBe(ofModel);
});

test('one task waits for its provider as long as only its commands talk', () => {
  const turn = new OneTurn('t');
  const tell = (method: string, params = {}) =>
    turn.take({ method, params: { threadId: 't', turnId: 'u', ...params } });
  const error = { message: 'Reconnecting... 1/2', codexErrorInfo: null };
  tell('error', { willRetry: true, error });
  tell('item/commandExecution/outputDelta', { itemId: 'c', delta: 'GET /' });
  tell('item/completed', { item: { type: 'commandExecution', id: 'c' } });
  expect(turn.trouble.retrying).toBe(true);
  tell('item/started', { item: { type: 'agentMessage', id: 'a', text: '' } });
  expect(turn.trouble.retrying).toBe(false);
});
