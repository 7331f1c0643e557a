/**
 * `/api/openapi.json`: the HTTP API as OpenAPI 3.1, made from the schemas beside the routes. Few ask for it, so
 * it is made, and what makes it is loaded, when somebody does.
 */
import Fastify, { type FastifyInstance } from 'fastify';

/** `addRoutes` registers the routes that are to be described. */
export function describeApi(
  app: FastifyInstance,
  { addRoutes, version }: { addRoutes: (app: FastifyInstance) => Promise<void>; version: string },
): void {
  let description: Promise<unknown> | undefined;
  app.get('/api/openapi.json', () => {
    description ??= makeDescription(addRoutes, version);
    return description;
  });
}

async function makeDescription(
  addRoutes: (app: FastifyInstance) => Promise<void>,
  version: string,
): Promise<unknown> {
  const { default: swagger } = await import('@fastify/swagger');
  const { createJsonSchemaTransform, validatorCompiler, serializerCompiler } = await import(
    'fastify-type-provider-zod'
  );
  const app: FastifyInstance = Fastify();
  app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'tscodex', version } },
    transform: createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } }),
  });
  await addRoutes(app);
  await app.ready();
  return app.swagger();
}
