/** What `/metrics` tells. A module of its own, so that the library is loaded only where somebody asks. */
import { performance } from 'node:perf_hooks';
import { Gauge, Registry } from 'prom-client';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { Sockets } from './socket/socket.ts';

/** Everything is measured when asked for: an idle server does nothing. */
export function measured(workspaces: Workspaces, sockets: Sockets): Registry {
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
