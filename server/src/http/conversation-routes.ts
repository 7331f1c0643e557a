/** Reading a conversation: its pages, and where in it something is said. */
import { PAGE_LIMIT, QUERY_LIMIT } from '@tscodex/shared/limits';
import { found, itemPage } from '@tscodex/shared/workspace';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { PageAsked } from '../session/item-pages.ts';
import type { Workspaces } from '../workspace/workspaces.ts';

const id = z.string().max(100);
const ofSession = z.object({ session: id });
const limit = z.coerce.number().int().min(1).max(PAGE_LIMIT).default(100);
const page = z
  .object({ before: id.optional(), after: id.optional(), around: id.optional(), limit })
  .refine(({ before, after, around }) => [before, after, around].filter(isGiven).length === 1, {
    error: 'a page is asked for by one of before, after and around',
  });
const query = z.object({ q: z.string().min(1).max(QUERY_LIMIT) });

export const conversationRoutes: FastifyPluginAsyncZod<{ workspaces: Workspaces }> = async (
  app,
  { workspaces },
) => {
  const find = (params: { session: string }) => workspaces.find(params.session);

  app.get(
    '/api/sessions/:session/items',
    { schema: { params: ofSession, querystring: page, response: { 200: itemPage } } },
    async ({ params, query }) => (await find(params)).items(askedFor(query), query.limit),
  );

  app.get(
    '/api/sessions/:session/find',
    { schema: { params: ofSession, querystring: query, response: { 200: found } } },
    async (request, reply) => {
      const gone = new AbortController();
      // whoever types on asks again
      reply.raw.once('close', () => gone.abort());
      return (await find(request.params)).find(request.query.q, gone.signal);
    },
  );
};

function isGiven(id: string | undefined): boolean {
  return id !== undefined;
}

function askedFor({ before, after, around }: z.infer<typeof page>): PageAsked {
  if (before !== undefined) return { before };
  return after === undefined ? { around: around ?? '' } : { after };
}
