/** `/metrics` for Prometheus and `/healthz` for whoever restarts servers. */
import { performance } from 'node:perf_hooks';
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
    registry ??= measured(workspaces, sockets);
    const gauges = await registry;
    return reply.type(gauges.contentType).send(await gauges.metrics());
  });

  app.get('/healthz', { config: { access: 'open' } }, async () => ({ ok: true, version }));
}

/** Loaded with the first request, and everything is measured when asked for: an idle server does nothing. */
async function measured(workspaces: Workspaces, sockets: Sockets): Promise<Registry> {
  const { Gauge, Registry } = await import('prom-client');
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
