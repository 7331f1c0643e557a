/** `/metrics` for Prometheus and `/healthz` for whoever restarts servers. */
import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Gauge, Registry } from 'prom-client';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { Sockets } from './socket.ts';

export function metricsRoutes(
  app: FastifyInstance,
  { workspaces, sockets, version }: { workspaces: Workspaces; sockets: Sockets; version: string },
): void {
  const registry = measured(workspaces, sockets);

  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );

  app.get('/healthz', { config: { access: 'open' } }, async () => ({ ok: true, version }));
}

/** Everything is measured when it is asked for: an idle server does nothing. */
function measured(workspaces: Workspaces, sockets: Sockets): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  new Gauge({
    name: 'tscodex_sessions',
    help: 'Open sessions by status',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { sessions } of workspaces.list()) for (const { status } of sessions) this.inc({ status });
    },
  });
  gauge('tscodex_sockets', 'Open WebSockets', () => sockets.count);
  gauge('tscodex_viewers', 'Subscriptions to sessions', () => sockets.viewers);
  gauge(
    'tscodex_event_loop_utilization',
    'Share of time the event loop was busy since the start',
    () => performance.eventLoopUtilization().utilization,
  );
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge('process_cpu_seconds', 'CPU time used', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  return registry;
}
