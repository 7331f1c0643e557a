/** The rules that people have saved about commands. */
import { homedir } from 'node:os';
import { ruleList } from '@tscodex/shared/permissions';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { SavedRules } from '../runtime/asks/saved-rules.ts';
import { loginOf } from './auth/guard.ts';
import { emptyReply } from './reply-schemas.ts';

export type ShownRules = Pick<SavedRules, 'list' | 'remove'>;

const ofRule = z.object({ rule: z.string().max(100) });

export const rulesRoutes: FastifyPluginAsyncZod<{ rules: ShownRules }> = async (app, { rules }) => {
  app.get('/api/rules', { schema: { response: { 200: ruleList } } }, async () => {
    const list = await rules.list();
    return { ...list, dir: withTilde(list.dir) };
  });

  app.delete(
    '/api/rules/:rule',
    { schema: { params: ofRule, response: { 204: emptyReply } } },
    async (request, reply) => {
      const { pattern, decision, file } = await rules.remove(request.params.rule);
      request.log.info({ by: loginOf(request).name, pattern, decision, file }, 'rule removed');
      return reply.code(204).send();
    },
  );
};

function withTilde(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
