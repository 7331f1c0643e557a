/** What a client says, as our input: its text, and its images kept as attachments. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import type { Attachments } from '../../runtime/attachments/attachments.ts';

export const userInput = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('image'), url: z.string() }),
    z.object({ type: z.literal('localImage'), path: z.string() }),
    z.object({ type: z.literal('skill'), name: z.string(), path: z.string() }),
    z.object({ type: z.literal('mention'), name: z.string(), path: z.string() }),
  ]),
);
export type UserInput = z.infer<typeof userInput>;

/** Throws `input.empty`, `input.image`, and what `Attachments` throws. */
export async function readInput(input: UserInput, attachments: Attachments) {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of input) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'image') images.push((await attachments.receive(imageIn(part.url), 'image')).id);
    else if (part.type === 'localImage')
      images.push((await attachments.receive(createReadStream(part.path), basename(part.path))).id);
    else texts.push(`[$${part.name}](${part.path})`);
  }
  const text = texts.filter((one) => one !== '').join('\n');
  if (text.trim() === '' && images.length === 0)
    throw new Failure('invalid', 'input.empty', 'input: it holds neither text nor an image');
  return { id: uuid(), text, ...(images.length > 0 ? { attachments: images } : {}) };
}

/** Throws `input.image`: nothing is fetched for a client. */
function imageIn(url: string): Readable {
  const [, encoded] = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? [];
  if (encoded !== undefined) return Readable.from([Buffer.from(encoded, 'base64')]);
  throw new Failure(
    'invalid',
    'input.image',
    'input: an image is to be a data: URL in base64, or a localImage; nothing is fetched from the network here',
  );
}
