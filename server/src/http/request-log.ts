/** One log line a request, without its query: what is searched for or where one logs in to is nobody's business. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const level = request.method === 'GET' && reply.statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: request.ip,
      },
      'request',
    );
  });
}

/** A path that carries a ticket is logged as its pattern. */
function pathOf(request: FastifyRequest): string {
  const { config, url } = request.routeOptions;
  return config.access === 'ticket' && url !== undefined ? url : (request.url.split('?', 1)[0] ?? '');
}
