import { expect, test } from 'vitest';
import {
  developerText,
  type MessageItem,
  type ResponseItem,
  textOf,
  userText,
} from '../../base/response-items.ts';
import { isSaidByPeople, personText } from '../../base/said-by-people.ts';
import { compactedHistory, framed, hasConversation } from './compacted-history.ts';
import { tokensOf } from './context-size.ts';

const surroundings = [developerText('<permissions instructions>\nall\n</permissions instructions>')];
const said = (text: string): MessageItem => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

const compacted = (history: ResponseItem[], budget = 1000) =>
  compactedHistory({ surroundings, history, summary: 'All is well.', budget });
const texts = (items: readonly ResponseItem[]) =>
  items.map((item) => (item.type === 'message' ? textOf(item) : item.type));

test('surroundings, what people said, the summary; nothing that the model or the program said', () => {
  const history = [
    ...surroundings,
    userText('<environment_context>\n</environment_context>'),
    userText('first'),
    said('an answer'),
    { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' } as const,
    { type: 'function_call_output', call_id: 'c', output: 'o' } as const,
    userText('<turn_aborted>\nstopped\n</turn_aborted>'),
    userText('<exec_command_completed>\n</exec_command_completed>'),
    userText('<board path="/b">\n</board>'),
    userText(framed('an earlier summary')),
    userText('second'),
  ];
  const [, first, second, summary, ...more] = compacted(history);
  expect(texts([first, second] as ResponseItem[])).toEqual(['first', 'second']);
  expect(texts([summary as ResponseItem])[0]).toMatch(
    /^<conversation_summary>\n[\s\S]+\n\nAll is well\.\n<\/conversation_summary>$/,
  );
  expect(more).toEqual([]);
});

test('the newest messages are kept, and the oldest of them is cut in the middle', () => {
  const long = (name: string) => `${name} begins ${'word '.repeat(400)}${name} ends`;
  const history = ['one', 'two', 'three'].map((name) => userText(long(name)));
  const items = compacted(history, 800).slice(1, -1);
  expect(items).toHaveLength(2);
  expect(texts(items)[1]).toBe(long('three'));
  expect(texts(items)[0]).toMatch(/^two begins [\s\S]+tokens left out[\s\S]+two ends$/);
  expect(tokensOf(items)).toBeLessThanOrEqual(810);
});

test('with no budget only the summary is left', () => {
  expect(texts(compacted([userText('hello')], 0)).slice(1)).toEqual([
    expect.stringMatching(/^<conversation_summary>/),
  ]);
});

test('of a message with images the words are kept', () => {
  const picture: MessageItem = {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'what is this?' },
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_text', text: '</image>' },
    ],
  };
  const kept = compacted([picture])[1] as MessageItem;
  expect(kept.content).toHaveLength(1);
  expect(textOf(kept)).toMatch(/^what is this\?\n\[An image was here\./);
});

test('a cut does not tear a character in two', () => {
  // a torn one could not be encoded
  const [kept] = compacted([userText('𝒳'.repeat(2000))], 101).slice(1) as MessageItem[];
  expect(encodeURIComponent(textOf(kept as MessageItem))).toContain('left%20out');
});

test.each([
  ['nothing', [], false],
  ['surroundings alone', surroundings, false],
  ['a message', [...surroundings, userText('hi')], true],
  ['an answer', [said('hi')], true],
])('%s', (_, history, expected) => {
  expect(hasConversation(history)).toBe(expected);
});

test('what people said is kept and stays theirs, also where it begins as the program does', () => {
  const words = personText(`<board> should be red. ${'and blue '.repeat(300)}`);
  const history = [words, userText('<board path="b.html">')];
  const kept = compacted(history).filter(isSaidByPeople);
  expect(kept).toEqual([words]);
  const [cut] = compacted(history, 200).filter(isSaidByPeople);
  expect(cut && textOf(cut)).toMatch(/^<board> should be red/);
  expect(hasConversation(history.slice(1))).toBe(false);
});
