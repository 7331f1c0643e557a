/** The files the page is made of, for everybody: there is nothing of a workspace in them. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

/** The ending of the compressed copies that the build puts beside a file, by what a browser calls it; best first. */
const copyEndings = { br: '.br', gzip: '.gz' };

/** `publicDir`: what the page's build wrote. */
export function assetRoutes(app: FastifyInstance, publicDir: string): void {
  for (const name of NAMED) {
    app.get(`/${name}`, { config: { access: 'open' } }, async (request, reply) => {
      const { path, mediaType } = await findAsset(publicDir, name);
      const bytes = await readFile(path);
      reply.type(mediaType).header('cache-control', 'public, max-age=86400');
      if (isKnown(request, reply, createHash('sha256').update(bytes).digest('base64url'))) return reply;
      return reply.send(bytes);
    });
  }

  const directory = join(publicDir, 'assets');
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { config: { access: 'open' } },
    async (request, reply) => {
      const { name } = request.params;
      const asset = await findAsset(directory, name);
      // kept for ever: with other content it has another name
      reply.type(asset.mediaType).header('cache-control', 'public, max-age=31536000, immutable');
      reply.header('vary', 'accept-encoding');
      const { ending, bytes, encoding } = await smallest(asset, request.headers['accept-encoding']);
      if (isKnown(request, reply, name + ending)) return reply;
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply.header('content-length', bytes).send(createReadStream(asset.path + ending));
    },
  );
}

type Asset = { path: string; mediaType: string; bytes: number };

/** Throws `notFound`. */
async function findAsset(directory: string, name: string): Promise<Asset> {
  const mediaType = mediaTypes[extname(name)];
  // one flat directory: a name with other characters is none of ours
  if (mediaType !== undefined && /^[\w.-]+$/.test(name)) {
    const path = join(directory, name);
    const bytes = await sizeOf(path);
    if (bytes !== null) return { path, mediaType, bytes };
  }
  throw new Failure('notFound', 'page.asset', `There is no ${name}.`);
}

type Copy = { ending: string; bytes: number; encoding: string | null };

/** The copy of an asset that is best for a browser, or the asset as it is. */
async function smallest({ path, bytes }: Asset, accepted = ''): Promise<Copy> {
  const copies = await Promise.all(
    Object.entries(copyEndings).map(async ([encoding, ending]) => {
      return { encoding, ending, bytes: await sizeOf(path + ending) };
    }),
  );
  const there = copies.flatMap((copy) => (copy.bytes === null ? [] : [{ ...copy, bytes: copy.bytes }]));
  const chosen = negotiate(
    accepted,
    there.map(({ encoding }) => encoding),
  );
  return there.find(({ encoding }) => encoding === chosen) ?? { ending: '', bytes, encoding: null };
}

/** null where there is no such file. */
async function sizeOf(path: string): Promise<number | null> {
  const file = await stat(path).catch(() => null); // one that cannot be reached is as good as none
  return file?.isFile() ? file.size : null;
}

/** Names what is sent. Whether the browser has it: it has been told so then. */
function isKnown(request: FastifyRequest, reply: FastifyReply, version: string): boolean {
  const tag = `"${version}"`;
  reply.header('etag', tag);
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (!known?.includes(tag)) return false;
  reply.code(304).send();
  return true;
}
