/** The images of a workspace: put up before the message that shows them is sent, and read by whoever sees it. */
import { type FileHandle, open } from 'node:fs/promises';
import { attachment } from '@tscodex/shared/items';
import { ATTACHMENTS_LIMIT, IMAGE_LIMIT } from '@tscodex/shared/limits';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { imageTooLarge } from '../runtime/attachments/attachments.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { contentDisposition } from './file-name-header.ts';

const inWorkspace = z.object({ workspace: z.string().max(100) });
const ofImage = z.object({ workspace: z.string().max(100), attachment: z.uuid() });
const named = z.object({ name: z.string().max(1000).default('') });
const created = z.object({ attachment });

/** An image alone on our origin: whatever it turns out to be, it runs nothing and loads nothing. */
const POLICY = "sandbox; default-src 'none'";

/** Images that arrive at the same time: each holds a connection and a file. Four people attach all that one message takes. */
const ARRIVING_LIMIT = 4 * ATTACHMENTS_LIMIT;
const RETRY_AFTER_S = 5;

export const attachmentRoutes: FastifyPluginAsyncZod<{ workspaces: Workspaces }> = async (
  app,
  { workspaces },
) => {
  // the bytes go to the disk as they come; what they are is told from them alone
  app.addContentTypeParser(/^image\//, async (_request: unknown, payload: unknown) => payload);
  app.addContentTypeParser('*', async () => {
    throw new Failure(
      'mediaType',
      'image.type',
      'This is not a PNG, JPEG, WebP or GIF image; send its bytes under its media type.',
    );
  });

  let arriving = 0;
  app.post(
    '/api/workspaces/:workspace/attachments',
    {
      bodyLimit: IMAGE_LIMIT,
      schema: { params: inWorkspace, querystring: named, consumes: ['image/*'], response: { 201: created } },
    },
    async (request, reply) => {
      const { params, query, headers, raw } = request;
      const images = workspaces.attachments(params.workspace);
      if (Number(headers['content-length'] ?? 0) > IMAGE_LIMIT)
        throw imageTooLarge(query.name || 'The image');
      if (arriving >= ARRIVING_LIMIT) throw tooManyArrive();
      arriving++;
      try {
        return reply.code(201).send({ attachment: await images.receive(raw, query.name) });
      } finally {
        arriving--;
      }
    },
  );

  app.get(
    '/api/workspaces/:workspace/attachments/:attachment',
    { schema: { params: ofImage } },
    async ({ params }, reply) => {
      const images = workspaces.attachments(params.workspace);
      const image = images.find(params.attachment) ?? unknown();
      const file = await opened(images.path(image.id));
      reply.header('content-security-policy', POLICY);
      reply.header('cache-control', 'private, max-age=31536000, immutable');
      reply.header('content-disposition', contentDisposition('inline', image.name));
      reply.header('content-length', image.bytes);
      return reply.type(image.mediaType).send(file.createReadStream());
    },
  );
};

function tooManyArrive(): Failure {
  return new Failure(
    'tooMany',
    'image.busy',
    `${ARRIVING_LIMIT} images are arriving right now, the limit; send this one again in ${RETRY_AFTER_S} seconds.`,
    { details: { count: ARRIVING_LIMIT, retryAfter: RETRY_AFTER_S } },
  );
}

async function opened(path: string): Promise<FileHandle> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') unknown();
    throw error;
  });
}

function unknown(): never {
  throw new Failure('notFound', 'image.unknown', 'There is no such image in this workspace.');
}
