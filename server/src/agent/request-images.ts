/**
 * The images that a request carries: the newest ones. Providers refuse a body beyond some size, and with it the
 * conversation ever after.
 */
import leftOut from '@tscodex/prompts/image-left-out.md';
import notShown from '@tscodex/prompts/image-not-shown.md';
import { MESSAGE_IMAGES_LIMIT } from '@tscodex/shared/limits';
import { type ContentPart, type ImagePart, isOfModel, type ResponseItem } from '../base/response-items.ts';

const LEFT_OUT: ContentPart = { type: 'input_text', text: leftOut.trim() };
const NOT_SHOWN: ContentPart = { type: 'input_text', text: notShown.trim() };

/**
 * The same history, with words in place of the older images where all would be too much. What is left out is told
 * from the history alone and stays out; and when room is needed, half of it is made: the provider's prefix cache is
 * lost once in a while and not at every image.
 */
export function withNewestImages(
  history: readonly ResponseItem[],
  limit = MESSAGE_IMAGES_LIMIT,
): readonly ResponseItem[] {
  const dropped = olderImages(history, limit);
  if (dropped.size === 0) return history;
  return history.map((item) => withParts(item, (part) => (dropped.has(part) ? LEFT_OUT : part)));
}

/** For a model that takes none: it is told of each. */
export function withoutImages(history: readonly ResponseItem[]): readonly ResponseItem[] {
  return history.map((item) => withParts(item, (part) => (part.type === 'input_image' ? NOT_SHOWN : part)));
}

/** The item itself where no part becomes another. */
function withParts(item: ResponseItem, change: (part: ContentPart) => ContentPart): ResponseItem {
  if (partsOf(item).every((part) => change(part) === part)) return item;
  if (item.type === 'message') return { ...item, content: item.content.map(change) };
  if ('output' in item && Array.isArray(item.output)) return { ...item, output: item.output.map(change) };
  return item;
}

function olderImages(history: readonly ResponseItem[], limit: number): Set<ContentPart> {
  const dropped = new Set<ContentPart>();
  const kept: ImagePart[] = [];
  let total = 0;
  const drop = () => {
    const oldest = kept.shift() as ImagePart;
    dropped.add(oldest);
    total -= bytesOf(oldest);
  };
  for (const added of roundsOf(history)) {
    const older = kept.length;
    kept.push(...added);
    total += added.reduce((sum, image) => sum + bytesOf(image), 0);
    if (total <= limit) continue;
    for (let n = 0; n < older && total > limit / 2; n++) drop();
    while (total > limit) drop();
  }
  return dropped;
}

/** The images of what comes between two answers of the model: they are sent for the first time together. */
function roundsOf(history: readonly ResponseItem[]): ImagePart[][] {
  const rounds: ImagePart[][] = [[]];
  for (const item of history) {
    const images = partsOf(item).filter((part) => part.type === 'input_image');
    if (isOfModel(item) && rounds.at(-1)?.length) rounds.push([]);
    rounds.at(-1)?.push(...images);
  }
  return rounds;
}

function partsOf(item: ResponseItem): readonly ContentPart[] {
  if (item.type === 'message') return item.content;
  return 'output' in item && Array.isArray(item.output) ? item.output : [];
}

function bytesOf({ image_url: url }: ImagePart): number {
  return Buffer.byteLength(url.slice(url.indexOf(',') + 1), 'base64');
}
