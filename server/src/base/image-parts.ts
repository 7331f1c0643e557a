/** How pictures stand in what the model reads: as data URLs, those of a message framed by tags as Codex has them. */
import type { ContentPart, ImagePart, MessageItem, TextPart } from './response-items.ts';

/** `bytes`: null where they are lost. */
export type NamedImage = { name: string; mediaType: string; bytes: Buffer | null };

export function imagePart({ mediaType, bytes }: { mediaType: string; bytes: Buffer }): ImagePart {
  return { type: 'input_image', image_url: `data:${mediaType};base64,${bytes.toString('base64')}` };
}

/** What a person said and showed. */
export function userMessageWith(said: string, images: readonly NamedImage[]): MessageItem {
  const pictures = images.flatMap(({ name, mediaType, bytes }, at): ContentPart[] => {
    const label = `[Image #${at + 1}] file="${name.replace(/["<>&]/g, '_')}"`;
    if (bytes === null) return [text(`<image name=${label}>It could not be read any more.</image>`)];
    return [text(`<image name=${label}>`), imagePart({ mediaType, bytes }), text('</image>')];
  });
  const words = said === '' && pictures.length > 0 ? [] : [text(said)];
  return { type: 'message', role: 'user', content: [...words, ...pictures], by_person: true };
}

function text(value: string): TextPart {
  return { type: 'input_text', text: value };
}
