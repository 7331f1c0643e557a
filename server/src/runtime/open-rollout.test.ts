import { expect, test } from 'vitest';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import { readFirstRecord } from '../session/first-record.ts';
import { message, openTestBox, Watcher } from './test-session.ts';

const provider = {
  ...{ id: 'gateway', baseUrl: 'http://127.0.0.1:9/v1', queryParams: {}, apiKey: () => undefined },
  ...{ headers: () => ({}), maxRetries: 0, requestMaxRetries: 0, idleTimeoutMs: 1000 },
};

test.for([
  ['a configured one', { kind: 'configured', name: 'scripted-1', provider } as const, 'gateway'],
  ['the demo', { kind: 'none' } as const, undefined],
] as const)("the provider of a session's model is in its first record: %s", async ([, model, id]) => {
  const box = await openTestBox({ model });
  const session = await box.load(await box.create(), new ScriptedModel(says('Hello.')));
  box.closing.push(() => session.unload('close'));
  const watcher = new Watcher(session);
  await session.submit(message('hi'), null);
  await watcher.until((state) => state.items.some(({ type }) => type === 'agentMessage'));
  const first = await readFirstRecord(await session.recorded());
  expect(first).toMatchObject({ type: 'session_meta', payload: { id: session.id, originator: 'tscodex' } });
  expect(first?.payload.model_provider).toBe(id);
  await box.remove();
});
