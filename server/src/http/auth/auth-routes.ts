/** `/api/login`, `/api/logout`, `/api/me`. */
import { login as loginBody, me, newName } from '@tscodex/shared/workspace';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Failure } from '../../base/errors.ts';
import { emptyReply } from '../reply-schemas.ts';
import { type Entrance, loginOf, NAME_HEADER } from './guard.ts';
import { isAnybody, isGuest, newGuest } from './guests.ts';
import { isProgram, meOf } from './login.ts';

export const authRoutes: FastifyPluginAsyncZod<{ entrance: Entrance }> = async (app, { entrance }) => {
  const { credentials, cookies, sessions, watch } = entrance;

  app.post(
    '/api/login',
    { config: { access: 'open' }, schema: { body: loginBody, response: { 200: me } } },
    async (request, reply) => {
      const name = request.body.name ?? null;
      if (!entrance.required) return meOf(loginOf(request));
      const secret = request.body.password ?? request.body.token;
      if (secret === undefined) throw new Failure('invalid', 'login.empty', 'Give a password or a token.');
      const device = cookies.device(request);
      credentials.check(secret, { address: request.ip, device });
      const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null;
      const { login, cookie } = await sessions.open({ name, userAgent });
      cookies.set(request, reply, { login: cookie, device: credentials.deviceMark() });
      return meOf(login);
    },
  );

  app.post('/api/logout', { schema: { response: { 204: emptyReply } } }, async (request, reply) => {
    const { id } = loginOf(request);
    await sessions.end(id);
    // others go by the same id
    if (!isAnybody(id) && !isProgram(id)) watch.ended(id);
    cookies.clear(reply);
    return reply.code(204).send();
  });

  app.get('/api/me', { schema: { response: { 200: me } } }, async (request) => meOf(loginOf(request)));

  app.put(
    '/api/me',
    {
      schema: {
        description: `The name this device's person goes by from now on. A program says its own in ${NAME_HEADER}.`,
        ...{ body: newName, response: { 200: me } },
      },
    },
    async (request, reply) => {
      const asked = loginOf(request);
      // who has no cookie yet gets one, and with it a name of its own
      const { id } = isAnybody(asked.id) ? newGuest() : asked;
      const { name } = request.body;
      if (isProgram(id))
        throw new Failure(
          'invalid',
          'name.program',
          `A program says its name in the header ${NAME_HEADER}, with each request.`,
        );
      if (isGuest(id)) cookies.setGuest(request, reply, { id, name });
      else await sessions.rename(id, name);
      watch.renamed(id, name);
      return meOf({ id, name });
    },
  );
};
