/** `/metrics` for Prometheus and `/healthz` for whoever restarts servers. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { sandboxWords } from '../exec/sandbox/sandbox-fixes.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { loginOf } from './auth/guard.ts';
import { queryOf } from './relative-url.ts';
import type { Sockets } from './socket/socket.ts';

type Measured = {
  workspaces: Workspaces;
  sockets: Sockets;
  version: string;
  sandbox: SandboxState;
  authRequired: boolean;
};

/** Whether this machine confines commands. */
export type SandboxState = Pick<Sandbox, 'problem' | 'facts'>;

export function metricsRoutes(
  app: FastifyInstance,
  { workspaces, sockets, version, sandbox, authRequired }: Measured,
): void {
  let registry: Promise<Registry> | undefined;

  app.get('/metrics', async (_request, reply) => {
    // loaded with the first request
    registry ??= import('./gauges.ts').then(({ measured }) => measured(workspaces, sockets));
    const gauges = await registry;
    return reply.type(gauges.contentType).send(await gauges.metrics());
  });

  // `?verbose` tells how the machine is made, so it takes a login
  app.get('/healthz', { config: { access: 'open' } }, async (request) => {
    const health = { ok: true, version };
    if (!new URLSearchParams(queryOf(request.url)).has('verbose')) return health;
    if (authRequired) loginOf(request);
    return { ...health, sandbox: sandboxHealth(sandbox) };
  });
}

function sandboxHealth({ problem, facts }: SandboxState) {
  if (!problem) return { confined: true, ...facts };
  return { confined: false, ...problem, ...sandboxWords(problem) };
}
