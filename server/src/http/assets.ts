/** The files the page is made of. Their names carry a hash of their content, so a browser may keep them for ever. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../base/errors.ts';

/** What the build writes. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

export function assetRoutes(app: FastifyInstance, directory: string): void {
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { config: { access: 'open' } },
    async (request, reply) => {
      const { name } = request.params;
      const mediaType = mediaTypes[extname(name)];
      const path = join(directory, name);
      // one flat directory: a name with anything but these characters is none of ours
      const file = mediaType && /^[\w.-]+$/.test(name) ? await stat(path).catch(() => null) : null;
      if (!mediaType || !file?.isFile()) throw new Failure('notFound', 'page.asset', `There is no ${name}.`);
      reply.header('cache-control', 'public, max-age=31536000, immutable');
      return reply.type(mediaType).header('content-length', file.size).send(createReadStream(path));
    },
  );
}
