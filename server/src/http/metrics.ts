/** `/metrics` for Prometheus and `/healthz` for whoever restarts servers. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { Sockets } from './socket/socket.ts';

export function metricsRoutes(
  app: FastifyInstance,
  { workspaces, sockets, version }: { workspaces: Workspaces; sockets: Sockets; version: string },
): void {
  let registry: Promise<Registry> | undefined;

  app.get('/metrics', async (_request, reply) => {
    // loaded with the first request
    registry ??= import('./gauges.ts').then(({ measured }) => measured(workspaces, sockets));
    const gauges = await registry;
    return reply.type(gauges.contentType).send(await gauges.metrics());
  });

  app.get('/healthz', { config: { access: 'open' } }, async () => ({ ok: true, version }));
}
