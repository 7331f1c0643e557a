/** `view_image`: puts an image file before the model, and before the people. */
import { basename, resolve } from 'node:path';
import description from '@tscodex/prompts/tools/view-image.md';
import type { Attachment } from '@tscodex/shared/items';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { imageFacts } from '../base/image-facts.ts';
import { imagePart } from '../base/image-parts.ts';
import { readImageFile } from './image-file.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

export const viewImage = defineTool({
  name: 'view_image',
  description,
  parameters: z.strictObject({ path: z.string().describe('The path of an image file on this machine.') }),
  parallel: true,
  shows: 'own',
  async run({ path }, context) {
    const wanted = resolve(context.cwd, path);
    try {
      const bytes = await readImageFile(wanted, context);
      const { mediaType } = imageFacts(bytes, wanted);
      const image = await kept(bytes, basename(wanted), context);
      show(wanted, 'completed', image, context);
      return { output: [imagePart({ mediaType, bytes })], success: true };
    } catch (error) {
      show(wanted, 'failed', null, context);
      return failed(error);
    }
  },
});

/** null where the disk refuses the copy: the model sees the image all the same. */
async function kept(bytes: Buffer, name: string, { images }: ToolContext): Promise<Attachment | null> {
  try {
    return await images.keep(bytes, name);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function show(
  path: string,
  status: 'completed' | 'failed',
  image: Attachment | null,
  { itemId: id, turnId, emit }: ToolContext,
): void {
  const at = new Date().toISOString();
  const times = { startedAt: at, completedAt: at };
  const item = { id, type: 'imageView' as const, turnId, status, ...times, path };
  emit({ type: 'item.completed', item: image ? { ...item, image } : item });
}

function failed(error: unknown): ToolResult {
  if (error instanceof Failure) return { output: `view_image: ${error.message}`, success: false };
  throw error;
}
