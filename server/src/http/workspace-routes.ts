/** Workspaces and the sessions in them. */
import { homedir } from 'node:os';
import { newSession, sessionList, workspaceList } from '@tscodex/shared/workspace';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { Workspaces } from '../workspace/workspaces.ts';

const inWorkspace = z.object({ workspace: z.string().max(100) });

const opened = z.object({ session: z.unknown().describe('SessionState') });

export const workspaceRoutes: FastifyPluginAsyncZod<{ workspaces: Workspaces }> = async (
  app,
  { workspaces },
) => {
  app.get('/api/workspaces', { schema: { response: { 200: workspaceList } } }, async () => ({
    workspaces: workspaces.list(),
  }));

  app.get(
    '/api/workspaces/:workspace/sessions',
    { schema: { params: inWorkspace, response: { 200: sessionList } } },
    async ({ params }) => ({
      sessions: workspaces.sessions(params.workspace),
      models: workspaces.models(params.workspace),
      home: homedir(),
      closed: workspaces.closedSessions(params.workspace),
    }),
  );

  app.post(
    '/api/workspaces/:workspace/sessions',
    { schema: { params: inWorkspace, body: newSession, response: { 200: opened, 201: opened } } },
    async ({ params, body }, reply) => {
      const { session, wasOpen } =
        body.resume === undefined
          ? { session: await workspaces.createSession(params.workspace, body), wasOpen: false }
          : await workspaces.reopenSession(params.workspace, body.resume);
      return reply.code(wasOpen ? 200 : 201).send({ session: session.snapshot().state });
    },
  );
};
