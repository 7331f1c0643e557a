/**
 * Makes a chosen file ready to be sent: what the server takes and a model can use, no larger than it needs to be.
 * What is small enough stays as it is, byte by byte, unless it tells where it was taken.
 */
import { IMAGE_LIMIT } from '@tscodex/shared/limits';
import { t } from '../messages/messages.ts';
import { byteSize } from '../ui/quantities.ts';
import { type ImageKind, kindOf, renamed } from './image-kind.ts';

/** Pixels of the longer side, and bytes, beyond which an image is made smaller. */
const SIDE = 2048;
const BYTES = 1024 * 1024;

/** A file that is not even looked into. */
const FILE_LIMIT = 64 * 1024 * 1024;

export type PreparedImage = { blob: Blob; name: string };

/** Thrown with a sentence for the person. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

/** Throws `ImageRefused`. */
export async function prepareImage(file: File): Promise<PreparedImage> {
  const { name } = file;
  if (file.size > FILE_LIMIT) throw tooLarge(file, FILE_LIMIT);
  const head = new Uint8Array(await file.slice(0, 64 * 1024).arrayBuffer());
  const kind = kindOf(head);
  if (kind === 'never') throw new ImageRefused(t('images.unreadable', { name }));
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new ImageRefused(t(kind === 'other' ? 'images.unreadable' : 'images.damaged', { name }));
  });
  try {
    if (kind === 'image/gif') return unchanged(file, kind);
    const isSmall = file.size <= BYTES && Math.max(bitmap.width, bitmap.height) <= SIDE;
    if (kind !== 'other' && isSmall && !hasExif(head)) return unchanged(file, kind);
    const blob = await smaller(bitmap, kind);
    return { blob, name: renamed(name, blob.type) };
  } finally {
    bitmap.close();
  }
}

/** It moves, or it is small: there is nothing to gain by drawing it anew. */
function unchanged(file: File, type: string): PreparedImage {
  if (file.size > IMAGE_LIMIT) throw tooLarge(file, IMAGE_LIMIT);
  return { blob: new Blob([file], { type }), name: file.name };
}

/** PNG where letters stay sharp by it or something is transparent, JPEG else: every model reads both. */
async function smaller(bitmap: ImageBitmap, kind: ImageKind): Promise<Blob> {
  for (let scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height)); ; scale *= 0.7) {
    const canvas = drawn(bitmap, scale);
    const keepsPng = kind !== 'image/jpeg' && isTransparent(canvas);
    if (keepsPng || kind === 'image/png') {
      const png = await encoded(canvas, 'image/png');
      if (png.size <= (keepsPng ? IMAGE_LIMIT : BYTES)) return png;
    }
    if (keepsPng) continue;
    const jpeg = await encoded(canvas, 'image/jpeg', 0.88);
    if (jpeg.size <= IMAGE_LIMIT) return jpeg;
  }
}

/** Upright: a bitmap is turned as its file says. */
function drawn(bitmap: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function isTransparent(canvas: HTMLCanvasElement): boolean {
  const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser draws no canvas');
  return context;
}

function encoded(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('an empty canvas')));
    canvas.toBlob(done, type, quality);
  });
}

/** How a camera turned it, which not every model knows, and perhaps where. */
function hasExif(head: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(head).includes('Exif\0\0');
}

function tooLarge({ name, size }: File, limit: number): ImageRefused {
  return new ImageRefused(t('images.tooLarge', { name, size: byteSize(size), limit: byteSize(limit) }));
}
