/** The files the page is made of, for everybody: there is nothing of a workspace in them. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../base/errors.ts';

/** What the build writes. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** What browsers and launchers know by name; all else carries a hash of its content in it. */
const NAMED = [
  'manifest.webmanifest',
  'icon.svg',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'apple-touch-icon.png',
];

/** `publicDir`: what the page's build wrote. */
export function assetRoutes(app: FastifyInstance, publicDir: string): void {
  for (const name of NAMED) {
    app.get(`/${name}`, { config: { access: 'open' } }, async (_request, reply) => {
      const { path, mediaType, bytes } = await findAsset(publicDir, name);
      reply.type(mediaType).header('cache-control', 'public, max-age=86400');
      return reply.header('content-length', bytes).send(createReadStream(path));
    });
  }

  const directory = join(publicDir, 'assets');
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { config: { access: 'open' } },
    async (request, reply) => {
      const { path, mediaType, bytes } = await findAsset(directory, request.params.name);
      // kept for ever: with other content it has another name
      reply.type(mediaType).header('cache-control', 'public, max-age=31536000, immutable');
      reply.header('vary', 'accept-encoding');
      const zip = mediaType.startsWith('text/') && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      if (!zip) return reply.header('content-length', bytes).send(createReadStream(path));
      // a fault ends the last stream too, where Fastify sees it
      const zipped = pipeline(createReadStream(path), createGzip(), () => undefined);
      return reply.header('content-encoding', 'gzip').send(zipped);
    },
  );
}

/** Throws `notFound`. */
async function findAsset(
  directory: string,
  name: string,
): Promise<{ path: string; mediaType: string; bytes: number }> {
  const mediaType = mediaTypes[extname(name)];
  // one flat directory: a name with other characters is none of ours
  if (mediaType !== undefined && /^[\w.-]+$/.test(name)) {
    const path = join(directory, name);
    const file = await stat(path).catch(() => null); // missing, like every other reason, is told below
    if (file?.isFile()) return { path, mediaType, bytes: file.size };
  }
  throw new Failure('notFound', 'page.asset', `There is no ${name}.`);
}
