/** What people have allowed for the rest of a session. */
import { sessionGrants } from '@tscodex/shared/asks';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { SessionDirectory } from '../runtime/session-directory.ts';
import { loginOf } from './auth/guard.ts';
import { emptyReply } from './reply-schemas.ts';

const id = z.string().max(100);

export const grantRoutes: FastifyPluginAsyncZod<{ sessions: SessionDirectory }> = async (
  app,
  { sessions },
) => {
  app.get(
    '/api/sessions/:session/grants',
    { schema: { params: z.object({ session: id }), response: { 200: sessionGrants } } },
    async ({ params }) => ({ grants: (await sessions.find(params.session)).grants() }),
  );

  app.delete(
    '/api/sessions/:session/grants/:grant',
    { schema: { params: z.object({ session: id, grant: id }), response: { 204: emptyReply } } },
    async (request, reply) => {
      const { session, grant } = request.params;
      await (await sessions.find(session)).takeBackGrant(grant, loginOf(request).name);
      return reply.code(204).send();
    },
  );
};
