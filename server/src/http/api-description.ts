/** `/api/openapi.json`: the HTTP API as OpenAPI 3.1, made from the schemas beside the routes. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';

const transform = createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } });

/** Must be registered before the routes it is to describe. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'tscodex', version } },
    transform: (route) =>
      route.url.startsWith('/api/') ? transform(route) : { url: route.url, schema: { hide: true } },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
