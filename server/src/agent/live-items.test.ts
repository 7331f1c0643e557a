import type { EventBody } from '@tscodex/shared/events';
import type { AgentMessage, Reasoning } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import type { ResponseItem } from '../base/response-items.ts';
import { LiveItems } from './live-items.ts';

const message = (id: string | undefined, text: string): ResponseItem => ({
  ...{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  ...(id !== undefined && { id }),
});

/** What a viewer sees in the end: each item's text. */
function shown(run: (live: LiveItems) => void): string[] {
  const events: EventBody[] = [];
  const live = new LiveItems('turn', (event) => events.push(event));
  run(live);
  live.complete(false);
  const started = events.filter((event) => event.type === 'item.started');
  const ended = events.flatMap((event) => (event.type === 'item.completed' ? [event.item] : []));
  expect(ended).toHaveLength(started.length);
  return ended.map((item) => {
    if (item.type === 'agentMessage') return (item as AgentMessage).text;
    const { summary } = item as Reasoning;
    return summary.join('|');
  });
}

test('Q59: an item that has another id at its end is not shown twice', () => {
  for (const id of ['msg_2', undefined])
    expect(
      shown((live) => {
        live.text('msg_1', 'hel');
        live.whole(message(id, 'hello'));
      }),
    ).toEqual(['hello']);
  expect(
    shown((live) => {
      live.reasoning('a', 'summary', 'h', true);
      live.whole({ type: 'reasoning', id: 'b', summary: [{ type: 'summary_text', text: 'hm' }] });
      live.text('c', 'o');
      live.whole(message('d', 'ok'));
    }),
  ).toEqual(['hm', 'ok']);
});

test('messages of one answer stay apart', () => {
  expect(
    shown((live) => {
      live.text('msg_1', 'a');
      live.whole(message('msg_1', 'a'));
      live.whole(message('msg_2', 'b'));
      live.text('msg_3', 'c');
      live.whole(message('msg_4', 'c'));
    }),
  ).toEqual(['a', 'b', 'c']);
});

test('a second attempt fills the items of the first', () => {
  expect(
    shown((live) => {
      live.text('msg_1', 'ha');
      live.whole(message('msg_1', 'ha'));
      live.discard();
      live.text('msg_2', 'hel');
      live.whole(message('msg_3', 'hello'));
    }),
  ).toEqual(['hello']);
});
