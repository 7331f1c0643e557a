import type { Messages } from '../messages/messages.ts';

export const imagesMessages = {
  'images.list': 'Images',
  'images.viewer': 'Image: {name}',
  'images.position': '{at} of {count}',
  'images.previous': 'Previous image',
  'images.next': 'Next image',
  'images.actualSize': 'Actual size',
  'images.fit': 'Fit to the window',
  'images.open': 'Open in a new tab',
  'images.broken': '{name} could not be loaded. Try again',
  'images.size': '{width} × {height} pixels, {size}',
  'images.count': { one: '{count} image', other: '{count} images' },

  'images.attach': 'Attach images',
  'images.drop': 'Drop images here',
  'images.attached': 'Attached images',
  'images.remove': 'Remove {name}',
  'images.retry': 'Upload {name} again',
  'images.preparing': 'preparing',
  'images.uploading': 'uploading, {percent} %',
  'images.ready': 'uploaded',
  'images.failed': 'not uploaded',
  'images.tooMany': { one: 'A message takes {count} image.', other: 'A message takes {count} images.' },
  'images.tooLarge': '{name} has {size}; an image may have {limit}.',
  'images.unreadable':
    '{name} is no image that this browser can read. PNG, JPEG, WebP and GIF can be attached.',
  'images.damaged': '{name} is broken and cannot be shown.',
  'images.wait': 'An image is still being uploaded.',
  'images.mend': 'An image was not uploaded. Try again, or remove it.',
} as const satisfies Messages;
