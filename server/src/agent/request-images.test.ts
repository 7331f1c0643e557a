import { expect, test } from 'vitest';
import { type ContentPart, type ResponseItem, userText } from '../base/response-items.ts';
import { withNewestImages, withoutImages } from './request-images.ts';

/** An image of so many bytes, told apart by its letter. */
const image = (letter: string, bytes: number): ContentPart => ({
  type: 'input_image',
  image_url: letter.repeat((bytes * 4) / 3),
});
const shown = (...content: ContentPart[]): ResponseItem => ({ type: 'message', role: 'user', content });
const viewed = (letter: string, bytes: number): ResponseItem => ({
  type: 'function_call_output',
  call_id: letter,
  output: [image(letter, bytes)],
});
const answer: ResponseItem = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'seen' }],
};

/** The letters of the images that go out, `-` for words in place of one. */
function sent(history: readonly ResponseItem[]): string {
  const parts = withNewestImages(history, 24).flatMap((item) =>
    item.type === 'message'
      ? item.content
      : 'output' in item && Array.isArray(item.output)
        ? item.output
        : [],
  );
  return parts
    .map((part) => {
      if (part.type === 'input_image') return part.image_url[0];
      return part.text.startsWith('[An image was here.') ? '-' : '';
    })
    .join('');
}

test('a history within the limit goes out as it is', () => {
  const history = [userText('look'), viewed('a', 12), answer, shown(image('b', 12))];
  expect(withNewestImages(history, 24)).toBe(history);
});

test('room is made in halves, and what was left out stays out: the prefix changes seldom', () => {
  const history: ResponseItem[] = [];
  const requests = [...'abcdefghij'].map((letter) => {
    history.push(viewed(letter, 6), answer);
    return sent(history.slice(0, -1));
  });
  expect(requests).toEqual([
    ...['a', 'ab', 'abc', 'abcd', '---de', '---def', '---defg', '------gh', '------ghi', '------ghij'],
  ]);
});

test('what is sent for the first time makes room among the older ones, not in itself', () => {
  const history = [viewed('a', 3), answer, shown(image('b', 12)), shown(image('c', 12))];
  expect(sent(history)).toBe('-bc');
  expect(sent([...history, answer, viewed('d', 3)])).toBe('---d');
});

test('of too many at once the newest go', () => {
  expect(sent([...'abcdef'].map((letter) => viewed(letter, 6)))).toBe('--cdef');
});

test('the history itself keeps everything', () => {
  const history = [viewed('a', 18), answer, viewed('b', 18)];
  const before = structuredClone(history);
  withNewestImages(history, 24);
  expect(history).toEqual(before);
});

test('a model that takes no images is told of each', () => {
  const history = [
    userText('look'),
    shown({ type: 'input_text', text: 'a' }, image('b', 3)),
    viewed('c', 3),
    answer,
  ];
  const told = { type: 'input_text', text: expect.stringMatching(/^\[An image was here\. This model/) };
  expect(withoutImages(history)).toEqual([
    userText('look'),
    shown({ type: 'input_text', text: 'a' }, told as unknown as ContentPart),
    { ...viewed('c', 3), output: [told] },
    answer,
  ]);
  expect(withoutImages(history)[0]).toBe(history[0]);
});
