/** The web server, put together. It does not listen: the command does, and tests do. */
import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import { HEARTBEAT_MS } from '@tscodex/shared/limits';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { SessionCatalog } from '../workspace/session-catalog.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { describeApi } from './api-description.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { Credentials } from './auth/credentials.ts';
import { type Entrance, guard } from './auth/guard.ts';
import { hostPolicy } from './auth/host-origin.ts';
import { LoginCookies } from './auth/login-cookies.ts';
import { LoginSessions } from './auth/login-sessions.ts';
import type { LoginStore } from './auth/login-store.ts';
import { LoginWatch } from './auth/login-watch.ts';
import { boardRoutes } from './board-routes.ts';
import { BoardTickets } from './board-tickets.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { answerErrors } from './error-replies.ts';
import { exportRoutes } from './export/export-routes.ts';
import { grantRoutes } from './grant-routes.ts';
import { acceptOnlyJson } from './json-body.ts';
import { metricsRoutes, type SandboxState } from './metrics.ts';
import { pageRoutes } from './page-routes.ts';
import { queryOf, withoutBase } from './relative-url.ts';
import { logRequests } from './request-log.ts';
import { rulesRoutes, type ShownRules } from './rules-routes.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { sessionRoutes } from './session-routes.ts';
import { Audiences } from './socket/audience.ts';
import { EventJson } from './socket/event-json.ts';
import { OverviewFeed } from './socket/overview-feed.ts';
import { Presence } from './socket/presence.ts';
import { closeSockets, FRAME_LIMIT, Sockets, socketRoute } from './socket/socket.ts';
import { workspaceRoutes } from './workspace-routes.ts';

export type AppOptions = {
  workspaces: Workspaces;
  catalog: SessionCatalog;
  sandbox: SandboxState;
  rules: ShownRules;
  logins: LoginStore;
  /** The state directory's own secret; what people log in with unless there is a password. */
  token: string;
  password: string | null;
  /** False lets everybody in (`--no-auth`, on loopback only). */
  authRequired: boolean;
  /** This machine's host name. */
  machineName: string;
  allowedHosts: readonly string[];
  publicUrl: URL | null;
  /** Believe one proxy's `X-Forwarded-For` and `X-Forwarded-Proto`. */
  trustProxy: boolean;
  /** `/x/agent`, without a slash at the end, or ''. */
  basePath: string;
  /** The built page. */
  publicDir: string;
  version: string;
  logger: FastifyBaseLogger;
  /** Shorter in tests. */
  heartbeatMs?: number;
};

/** For a whole request to arrive: the longest input over a thin link. */
const REQUEST_TIMEOUT_MS = 120_000;

/**
 * Named at construction rather than set later: Fastify then never loads Ajv and its serialiser, which take a
 * while. Its types know the schemas of those two only.
 */
const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as never;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { workspaces, version, basePath } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    // request-log.ts says it without the query
    logController: new LogController({ disableRequestLogging: true }),
    // one hop: what stands further left in X-Forwarded-For anybody can write
    trustProxy: options.trustProxy ? (_address, hop) => hop === 0 : false,
    rewriteUrl: (request) => withoutBase(request.url ?? '/', basePath),
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    schemaController: { compilersFactory: zodCompilers },
    // a board's ticket is the longest
    routerOptions: { maxParamLength: 256 },
  });
  const entrance = entranceOf(options);
  const tickets = new BoardTickets({ token: options.token, fingerprint: entrance.credentials.fingerprint });
  const sockets = new Sockets();
  const overview = new OverviewFeed(workspaces);
  const { heartbeatMs = HEARTBEAT_MS } = options;
  const presence = new Presence();
  const services = {
    sessions: workspaces,
    overview,
    presence,
    audiences: new Audiences(),
    json: new EventJson(),
    version,
    heartbeatMs,
  };

  acceptOnlyJson(app);
  answerErrors(app);
  logRequests(app);
  await app.register(cookie);
  await app.register(websocket, {
    options: { maxPayload: FRAME_LIMIT },
    preClose(done) {
      closeSockets(app.websocketServer.clients);
      done();
    },
  });
  await addSecurityHeaders(app);
  guard(app, entrance);
  const addRoutes = async (to: FastifyInstance) => {
    await to.register(authRoutes, { entrance });
    await to.register(workspaceRoutes, { workspaces });
    await to.register(sessionRoutes, { workspaces });
    await to.register(conversationRoutes, { workspaces });
    await to.register(catalogRoutes, { catalog: options.catalog });
    await to.register(exportRoutes, { workspaces });
    await to.register(attachmentRoutes, { workspaces });
    await to.register(grantRoutes, { sessions: workspaces });
    await to.register(rulesRoutes, { rules: options.rules });
  };
  await addRoutes(app);
  describeApi(app, { addRoutes, version });
  socketRoute(app, { entrance, sockets, services });
  boardRoutes(app, { workspaces, tickets, entrance });
  metricsRoutes(app, { ...options, sockets });
  pageRoutes(app, { publicDir: options.publicDir, workspaces });
  redirectToBase(app, basePath);
  app.addHook('onClose', async () => {
    overview.close();
    presence.close();
  });
  return app;
}

function entranceOf(options: AppOptions): Entrance {
  const credentials = new Credentials({ ...options, now: () => performance.now() });
  const { fingerprint } = credentials;
  return {
    credentials,
    hosts: hostPolicy(options),
    sessions: new LoginSessions({ store: options.logins, fingerprint, now: Date.now }),
    cookies: new LoginCookies(options),
    watch: new LoginWatch(),
    required: options.authRequired,
  };
}

/** The base path without its slash: relative URLs need the slash. */
function redirectToBase(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  const last = basePath.split('/').at(-1);
  app.get(basePath, { config: { access: 'open' } }, async (request, reply) =>
    reply.redirect(`./${last}/${queryOf(request.url)}`, 302),
  );
}
