/** Pictures for tests: painted by the browser, handed to the page as a person would, or put up by a program. */
import type { Locator, Page } from '@playwright/test';
import type { Attachment } from '@tscodex/shared/items';
import type { RunningServer } from './server.ts';

export type PictureFile = { name: string; mimeType: string; buffer: Buffer };

type Painting = {
  width?: number;
  height?: number;
  type?: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Left unpainted in the middle. */
  hole?: boolean;
  /** Every pixel another colour: large as a file. */
  noise?: boolean;
};

/** Red on the left, blue on the right, so that one sees how it is turned. */
export async function paint(page: Page, name: string, painting: Painting = {}): Promise<PictureFile> {
  const { width = 60, height = 40, type = 'image/png', hole = false, noise = false } = painting;
  const base64 = await page.evaluate(
    ({ width, height, type, hole, noise }) => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      for (const [at, colour] of ['#d22', '#22d'].entries()) {
        context.fillStyle = colour;
        context.fillRect((at * width) / 2, 0, width / 2, height);
      }
      if (noise) {
        const data = context.getImageData(0, 0, width, height);
        for (let at = 0; at < data.data.length; at++) if (at % 4 !== 3) data.data[at] = Math.random() * 256;
        context.putImageData(data, 0, 0);
      }
      if (hole) context.clearRect(width / 4, height / 4, width / 2, height / 2);
      return canvas.toDataURL(type, 0.92).split(',')[1] ?? '';
    },
    { width, height, type, hole, noise },
  );
  return { name, mimeType: type, buffer: Buffer.from(base64, 'base64') };
}

/** As a camera notes that the picture lies on its right side. */
export function turned({ name, mimeType, buffer }: PictureFile): PictureFile {
  const exif = Buffer.from(
    'Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0',
    'latin1',
  );
  const length = exif.length + 2;
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, length >> 8, length & 255]), exif]);
  return { name, mimeType, buffer: Buffer.concat([buffer.subarray(0, 2), segment, buffer.subarray(2)]) };
}

/** Pastes or drops files, and a text beside them if there is one. */
export async function hand(
  how: 'paste' | 'drop',
  to: Locator,
  files: readonly PictureFile[],
  text?: string,
): Promise<void> {
  const packed = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }));
  await to.evaluate(
    (element, { how, packed, text }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, base64 } of packed) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      if (text !== undefined) data.setData('text/plain', text);
      const init = { bubbles: true, cancelable: true };
      const steps =
        how === 'paste'
          ? [new ClipboardEvent('paste', { ...init, clipboardData: data })]
          : ['dragenter', 'dragover', 'drop'].map(
              (kind) => new DragEvent(kind, { ...init, dataTransfer: data }),
            );
      for (const step of steps) element.dispatchEvent(step);
    },
    { how, packed, text },
  );
}

/** Puts an image up as a program does. */
export async function putImage(
  server: RunningServer,
  { name, mimeType, buffer }: PictureFile,
  workspace = 'demo',
): Promise<Attachment> {
  const path = `api/workspaces/${workspace}/attachments?name=${encodeURIComponent(name)}`;
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': mimeType },
    body: new Uint8Array(buffer),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${answer}`);
  return (JSON.parse(answer) as { attachment: Attachment }).attachment;
}

/** One pixel. */
export const DOT: PictureFile = {
  name: 'dot.gif',
  mimeType: 'image/gif',
  buffer: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
};
