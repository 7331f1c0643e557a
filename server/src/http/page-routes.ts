/** The page: one HTML file for all its paths, and the files it is made of. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../base/errors.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { assetRoutes } from './assets.ts';
import { isSafeNext } from './auth/next-path.ts';
import { queryOf, rootFrom } from './relative-url.ts';

export function pageRoutes(
  app: FastifyInstance,
  { publicDir, workspaces }: { publicDir: string; workspaces: Workspaces },
): void {
  const page = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.type('text/html; charset=utf-8').send(withBase(await readPage(publicDir), rootFrom(request.url)));

  app.get('/', page);

  app.get<{ Querystring: { next?: unknown } }>(
    '/login',
    { config: { access: 'open' } },
    async (request, reply) => {
      const { next } = request.query;
      if (next === undefined || (typeof next === 'string' && isSafeNext(next))) return page(request, reply);
      return reply.redirect('./login', 302);
    },
  );

  app.get<{ Params: { workspace: string } }>('/w/:workspace', async (request, reply) => {
    const last = request.url.split('?', 1)[0]?.split('/').at(-1);
    return reply.redirect(`./${last}/${queryOf(request.url)}`, 302);
  });

  app.get<{ Params: { workspace: string } }>('/w/:workspace/', async (request, reply) => {
    workspaces.workspace(request.params.workspace);
    return page(request, reply);
  });

  assetRoutes(app, publicDir);
}

async function readPage(publicDir: string): Promise<string> {
  const path = join(publicDir, 'index.html');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Failure(
      'unavailable',
      'page.missing',
      `The page is not built: ${path} is missing (npm run build).`,
      {
        cause,
      },
    );
  }
}

/** Every URL in the page is relative to the server's root, wherever a proxy has put that. */
function withBase(html: string, root: string): string {
  return html.replace('<head>', `<head><base href="${root}">`);
}
