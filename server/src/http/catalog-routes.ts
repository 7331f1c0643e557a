/** Every session of $CODEX_HOME: found, put away, brought back. */
import {
  catalogChange,
  catalogPage,
  catalogQuery,
  deleted,
  searchQuery,
  searchResult,
} from '@tscodex/shared/catalog';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { SessionCatalog } from '../workspace/session-catalog.ts';
import { loginOf } from './auth/guard.ts';
import { emptyReply } from './reply-schemas.ts';

const ofSession = z.object({ session: z.string().max(100) });

export const catalogRoutes: FastifyPluginAsyncZod<{ catalog: SessionCatalog }> = async (app, { catalog }) => {
  app.get(
    '/api/catalog',
    { schema: { querystring: catalogQuery, response: { 200: catalogPage } } },
    async ({ query }) => catalog.list(query),
  );

  app.get(
    '/api/search',
    { schema: { querystring: searchQuery, response: { 200: searchResult } } },
    async ({ query }) => catalog.search(query),
  );

  app.patch(
    '/api/catalog/:session',
    { schema: { params: ofSession, body: catalogChange, response: { 204: emptyReply } } },
    async ({ params, body }, reply) => {
      await catalog.archive(params.session, body.archived);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/catalog/:session',
    { schema: { params: ofSession, response: { 200: deleted } } },
    async (request) => {
      const { session } = request.params;
      request.log.info({ by: loginOf(request).name, session }, 'session deleted');
      return catalog.remove(session);
    },
  );

  app.post(
    '/api/catalog/:session/restore',
    { schema: { params: ofSession, response: { 204: emptyReply } } },
    async ({ params }, reply) => {
      await catalog.restore(params.session);
      return reply.code(204).send();
    },
  );
};
