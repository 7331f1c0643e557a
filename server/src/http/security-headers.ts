/** Headers that hold the browser to the rules. Routes of the board replace the policy with their own. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const self = ["'self'"];
const none = ["'none'"];

/**
 * Scripts come from our own files alone. Inline styles are needed by KaTeX. `frame-src` is what keeps a board
 * from navigating itself to another host with data in the URL.
 */
const pagePolicy = {
  defaultSrc: self,
  scriptSrc: self,
  scriptSrcAttr: none,
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: self,
  frameSrc: self,
  frameAncestors: none,
  objectSrc: none,
  baseUri: self,
  formAction: self,
};

export async function addSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: pagePolicy },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // whether a host is HTTPS only is its proxy's to say
    strictTransportSecurity: false,
    // on plain HTTP away from localhost browsers ignore these with an error in the console
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
  // what must not be kept is the rule; the assets say otherwise
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
