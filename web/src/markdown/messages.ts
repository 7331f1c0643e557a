import type { Messages } from '../messages/messages.ts';

export const markdownMessages = {
  'markdown.wrap': 'Wrap',
  'markdown.copy': 'Copy',
  'markdown.copied': 'Copied',
  'markdown.copyFailed': 'Not copied',
  'markdown.image': 'Image: {name}',
  'markdown.done': 'Done',
  'markdown.open': 'Not done',
} as const satisfies Messages;
