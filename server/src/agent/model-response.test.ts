import { expect, test } from 'vitest';
import type { ResponseItem } from '../base/response-items.ts';
import { modelFacts } from '../model/catalog.ts';
import { ScriptedModel } from '../model/scripted-model.ts';
import { requestModel } from './model-response.ts';
import type { TurnContext, TurnPorts } from './turn-context.ts';
import { UniqueIds } from './unique-ids.ts';

const said = (text: string): ResponseItem => ({
  ...{ type: 'message', role: 'assistant', id: 'msg_0' },
  content: [{ type: 'output_text', text }],
});

test('answers that stop early are told apart as well', async () => {
  const stopsEarly = function* () {
    yield { type: 'item', item: said('half') } as const;
    yield { type: 'completed', usage: null, incomplete: 'max_output_tokens' } as const;
  };
  const history: ResponseItem[] = [said('one')];
  const context = {
    ...{ sessionId: 's', turnId: 't', client: new ScriptedModel(stopsEarly, stopsEarly), tools: [] },
    ...{ settings: { model: 'scripted-1' }, facts: modelFacts(''), instructions: '' },
    ...{ history, ids: new UniqueIds(history) },
  } as unknown as TurnContext;
  const ports = { emit: () => undefined } as unknown as TurnPorts;
  for (const id of ['msg_0_2', 'msg_0_3']) {
    const { items, stoppedEarly } = await requestModel(context, ports, new AbortController().signal);
    expect(items).toEqual([expect.objectContaining({ id })]);
    expect(stoppedEarly?.message).toContain('max_output_tokens');
  }
});
