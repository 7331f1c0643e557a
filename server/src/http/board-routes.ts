/** The board: untrusted HTML, on an opaque origin, under a policy of its own, at a URL that carries a ticket. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../base/errors.ts';
import { readBoard, readBoardImage } from '../workspace/board.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { type Entrance, loginGoesOn, loginOf } from './auth/guard.ts';
import { boardPage, boardPlaceholder } from './board-page.ts';
import type { BoardTickets } from './board-tickets.ts';
import { pageLanguageOf } from './page-language.ts';
import { queryOf } from './relative-url.ts';

type OfWorkspace = { Params: { workspace: string } };
type OfTicket = { Params: { workspace: string; ticket: string } };
type OfFile = { Params: { workspace: string; ticket: string; '*': string } };

const BOARD_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'font-src data:',
  "connect-src 'none'",
  "frame-ancestors 'self'",
].join('; ');

export function boardRoutes(
  app: FastifyInstance,
  { workspaces, tickets, entrance }: { workspaces: Workspaces; tickets: BoardTickets; entrance: Entrance },
): void {
  app.get<OfWorkspace>('/w/:workspace/board', async (request, reply) =>
    reply.redirect(`./board/${queryOf(request.url)}`, 302),
  );

  app.get<OfWorkspace>('/w/:workspace/board/', async (request, reply) => {
    const ticket = tickets.issue(loginOf(request).id, request.params.workspace);
    return reply.redirect(`./${ticket}/${queryOf(request.url)}`, 302);
  });

  const byTicket = { config: { access: 'ticket' } } as const;

  app.get<OfTicket>('/w/:workspace/board/:ticket/', byTicket, async (request, reply) => {
    const { params } = request;
    checkTicket(params);
    const html = await readBoard(pathOf(params.workspace));
    guardReply(reply);
    return reply
      .type('text/html; charset=utf-8')
      .send(html === null ? boardPlaceholder(pageLanguageOf(request)) : boardPage(html.toString()));
  });

  app.get<OfFile>('/w/:workspace/board/:ticket/*', byTicket, async ({ params }, reply) => {
    checkTicket(params);
    const image = await readBoardImage(pathOf(params.workspace), params['*']);
    if (!image) throw new Failure('notFound', 'board.image', 'Only images beside the board are served here.');
    guardReply(reply);
    // the frame's origin is opaque, so every request of its own is a cross-origin one
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return reply.type(image.mediaType).send(image.content);
  });

  function pathOf(workspaceId: string): string {
    const { board } = workspaces.workspace(workspaceId);
    if (board.enabled) return board.path;
    throw new Failure('notFound', 'board.disabled', 'This workspace has no board.');
  }

  function checkTicket({ ticket, workspace }: OfTicket['Params']): void {
    const login = tickets.loginOf(ticket, workspace);
    if (login !== null && loginGoesOn(entrance, login)) return;
    throw new Failure(
      'forbidden',
      'board.ticket',
      'This link to the board has ended; open it from its workspace.',
    );
  }
}

function guardReply(reply: FastifyReply): void {
  reply.header('content-security-policy', BOARD_POLICY);
  // the policy above knows neither WebRTC nor the connection that a refused navigation opens ahead of its request
  reply.header('connection-allowlist', '(response-origin)');
  reply.header('referrer-policy', 'no-referrer');
  // frame-ancestors says it better, and this header knows no opaque origins
  reply.removeHeader('x-frame-options');
}
