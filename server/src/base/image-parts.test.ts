import { expect, test } from 'vitest';
import { userMessageWith } from './image-parts.ts';
import { textOf } from './response-items.ts';

const bytes = Buffer.from('abc');
const image = { name: 'shot "1" <b>.png', mediaType: 'image/png', bytes };

test('images follow the words, framed by tags as Codex has them', () => {
  const message = userMessageWith('look', [image, { ...image, name: '截图.png' }]);
  expect(message).toEqual({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'look' },
      { type: 'input_text', text: '<image name=[Image #1] file="shot _1_ _b_.png">' },
      { type: 'input_image', image_url: 'data:image/png;base64,YWJj' },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text: '<image name=[Image #2] file="截图.png">' },
      { type: 'input_image', image_url: 'data:image/png;base64,YWJj' },
      { type: 'input_text', text: '</image>' },
    ],
    by_person: true,
  });
  expect(textOf(message)).toBe('look');
});

test('without words there are only images, and the words of such a message are none', () => {
  const message = userMessageWith('', [image]);
  expect(message.content).toHaveLength(3);
  expect(textOf(message)).toBe('');
});

test('an image that is lost is said to be', () => {
  const message = userMessageWith('look', [{ ...image, bytes: null }]);
  expect(message.content[1]).toMatchObject({ text: expect.stringContaining('could not be read any more') });
});

test('tags that a person wrote stay', () => {
  expect(textOf(userMessageWith('</image> or <image>', [image]))).toBe('</image> or <image>');
  expect(textOf(userMessageWith('<image>', []))).toBe('<image>');
});
