/** Workspaces and the sessions in them. */
import {
  directoryList,
  newSession,
  newWorkspace,
  sessionList,
  workspaceChange,
  workspaceList,
  workspaceSummary,
} from '@tscodex/shared/workspace';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { toldConfig, type Workspaces } from '../workspace/workspaces.ts';
import { emptyReply } from './reply-schemas.ts';

const inWorkspace = z.object({ workspace: z.string().max(100) });

const one = z.object({ workspace: workspaceSummary });
const begun = z.object({ path: z.string().max(4096).default(''), workspace: z.string().max(100).optional() });
const opened = z.object({ session: z.unknown().describe('SessionState') });

export const workspaceRoutes: FastifyPluginAsyncZod<{ workspaces: Workspaces }> = async (
  app,
  { workspaces },
) => {
  app.get('/api/workspaces', { schema: { response: { 200: workspaceList } } }, async () => {
    const problem = workspaces.problem();
    const config = toldConfig(workspaces);
    return {
      workspaces: workspaces.list(),
      ...(problem === null ? {} : { problem }),
      ...(config ? { config } : {}),
    };
  });

  app.post(
    '/api/workspaces',
    { schema: { body: newWorkspace, response: { 201: one } } },
    async ({ body }, reply) => reply.code(201).send({ workspace: await workspaces.add(body) }),
  );

  app.patch(
    '/api/workspaces/:workspace',
    { schema: { params: inWorkspace, body: workspaceChange, response: { 200: one } } },
    async ({ params, body }) => ({ workspace: await workspaces.change(params.workspace, body) }),
  );

  app.delete(
    '/api/workspaces/:workspace',
    { schema: { params: inWorkspace, response: { 204: emptyReply } } },
    async ({ params }, reply) => {
      await workspaces.remove(params.workspace);
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/directories',
    { schema: { querystring: begun, response: { 200: directoryList } } },
    async ({ query }) => ({ directories: await workspaces.directories(query.path, query.workspace) }),
  );

  app.get(
    '/api/workspaces/:workspace/sessions',
    { schema: { params: inWorkspace, response: { 200: sessionList } } },
    async ({ params }) => ({
      sessions: workspaces.sessions(params.workspace),
      models: workspaces.models(params.workspace),
      profiles: workspaces.profiles(),
      backends: workspaces.backends(params.workspace),
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
