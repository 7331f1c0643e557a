/** A session's whole conversation, to be kept. */
import { Readable } from 'node:stream';
import { exportFormat } from '@tscodex/shared/workspace';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { Attachments } from '../../runtime/attachments/attachments.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';
import { contentDisposition } from '../file-name-header.ts';
import { pageLanguageOf } from '../page-language.ts';
import { exportWords } from './export-words.ts';
import { asJson, asMarkdown, fileNameOf } from './exported.ts';
import type { ReadImage } from './markdown-item.ts';

/** By what the server knows: a conversation's file is not to say what is read. */
function imagesOf(images: Attachments): ReadImage {
  return async (id) => {
    const known = images.find(id);
    const bytes = known && (await images.read(known));
    return known && bytes ? { mediaType: known.mediaType, bytes } : null;
  };
}

const ofSession = z.object({ session: z.string().max(100) });
const asked = z.object({
  format: exportFormat.default('markdown'),
  /** Of the words around what was said; else the browser's. */
  language: z.enum(['en', 'zh']).optional(),
});

const TYPES = { markdown: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' };

export const exportRoutes: FastifyPluginAsyncZod<{ workspaces: Workspaces }> = async (
  app,
  { workspaces },
) => {
  app.get(
    '/api/sessions/:session/export',
    { schema: { params: ofSession, querystring: asked } },
    async (request, reply) => {
      const { format, language = pageLanguageOf(request) } = request.query;
      const session = await workspaces.find(request.params.session);
      const { state } = session.snapshot();
      const items = session.all();
      // what cannot be read at all is refused in a sentence, not in the middle of a file
      const first = await items.next();
      const all = (async function* () {
        if (first.done) return;
        yield first.value;
        yield* items;
      })();
      const image = imagesOf(workspaces.attachments(state.workspaceId));
      const words = exportWords(language);
      const chunks = format === 'json' ? asJson(all, state, image) : asMarkdown(all, state, { words, image });
      reply.header('content-disposition', contentDisposition('attachment', fileNameOf(state, format)));
      return reply.type(TYPES[format]).send(Readable.from(chunks));
    },
  );
};
