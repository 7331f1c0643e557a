/** One session: what it is, what is said to it, what is done about it. */
import { askAnswer, askEnding } from '@tscodex/shared/asks';
import { inputPatch, newInput } from '@tscodex/shared/inputs';
import { INPUT_LIMIT } from '@tscodex/shared/limits';
import { fork, sessionChange, sessionModels } from '@tscodex/shared/workspace';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { loginOf } from './auth/guard.ts';
import { emptyReply, taken } from './reply-schemas.ts';

const id = z.string().max(100);
const ofSession = z.object({ session: id });
const ofInput = z.object({ session: id, input: id });
const ofAsk = z.object({ session: id, ask: id });
const ofItem = z.object({ session: id, item: id });

const snapshot = z.object({
  epoch: z.string(),
  seq: z.number(),
  state: z.unknown().describe('SessionState'),
});
const created = z.object({ session: z.unknown().describe('SessionState') });
const accepted = z.object({ inputId: z.string(), duplicate: z.boolean() });

/** A text at the limit may come as six bytes of JSON (`\u0001`) for each of its own. */
const INPUT_BODY_LIMIT = 6 * INPUT_LIMIT + 64 * 1024;

export const sessionRoutes: FastifyPluginAsyncZod<{ workspaces: Workspaces }> = async (
  app,
  { workspaces },
) => {
  const find = (params: { session: string }) => workspaces.find(params.session);

  app.get(
    '/api/sessions/:session',
    { schema: { params: ofSession, response: { 200: snapshot } } },
    async ({ params }) => (await find(params)).snapshot(),
  );

  app.patch(
    '/api/sessions/:session',
    { schema: { params: ofSession, body: sessionChange, response: { 204: emptyReply } } },
    async (request, reply) => {
      const { params, body } = request;
      const { position, ...change } = body;
      // one that cannot be loaded can still be moved; and what is refused here moves nothing
      if (position === undefined || Object.keys(change).length > 0)
        await (await find(params)).change(change, loginOf(request).name);
      if (position !== undefined) await workspaces.moveSession(params.session, position);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/sessions/:session',
    { schema: { params: ofSession, response: { 204: emptyReply } } },
    async ({ params }, reply) => {
      await workspaces.closeSession(params.session);
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/sessions/:session/models',
    { schema: { params: ofSession, response: { 200: sessionModels } } },
    async ({ params }) => ({ models: await (await find(params)).models() }),
  );

  app.post(
    '/api/sessions/:session/fork',
    { schema: { params: ofSession, body: fork, response: { 201: created } } },
    async ({ params, body }, reply) => {
      const session = await workspaces.forkSession(params.session, body.before);
      return reply.code(201).send({ session: session.snapshot().state });
    },
  );

  app.get(
    '/api/sessions/:session/items/:item/output',
    { schema: { params: ofItem } },
    async (request, reply) => {
      const output = await (await find(request.params)).output(request.params.item);
      return reply.type('text/plain; charset=utf-8').send(output);
    },
  );

  app.post(
    '/api/sessions/:session/inputs',
    {
      bodyLimit: INPUT_BODY_LIMIT,
      schema: { params: ofSession, body: newInput, response: { 202: accepted } },
    },
    async (request, reply) => {
      checkSize(request.body.text);
      const session = await find(request.params);
      return reply.code(202).send(await session.submit(request.body, loginOf(request).name));
    },
  );

  app.patch(
    '/api/sessions/:session/inputs/:input',
    {
      bodyLimit: INPUT_BODY_LIMIT,
      schema: { params: ofInput, body: inputPatch, response: { 204: emptyReply } },
    },
    async (request, reply) => {
      const { params, body } = request;
      checkSize(body.text ?? '');
      await (await find(params)).changeInput(params.input, body, loginOf(request).name);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/sessions/:session/inputs/:input',
    { schema: { params: ofInput, response: { 204: emptyReply } } },
    async ({ params }, reply) => {
      await (await find(params)).withdrawInput(params.input);
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/sessions/:session/asks/:ask',
    { schema: { params: ofAsk, response: { 200: askEnding } } },
    async ({ params }) => (await find(params)).askEnding(params.ask),
  );

  app.post(
    '/api/sessions/:session/asks/:ask',
    {
      schema: {
        params: ofAsk,
        body: askAnswer,
        response: { 202: taken },
      },
    },
    async (request, reply) => {
      const session = await find(request.params);
      await session.answer(request.params.ask, request.body, loginOf(request).name);
      return reply.code(202).send({});
    },
  );

  app.post(
    '/api/sessions/:session/interrupt',
    { schema: { params: ofSession, response: { 202: taken } } },
    async (request, reply) => {
      await (await find(request.params)).interrupt(loginOf(request).name);
      return reply.code(202).send({});
    },
  );

  app.post(
    '/api/sessions/:session/resume',
    { schema: { params: ofSession, response: { 202: taken } } },
    async (request, reply) => {
      await (await find(request.params)).resume(loginOf(request).name);
      return reply.code(202).send({});
    },
  );

  app.delete(
    '/api/sessions/:session/clock',
    { schema: { params: ofSession, response: { 204: emptyReply } } },
    async (request, reply) => {
      await (await find(request.params)).stopClock(loginOf(request).name);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/sessions/:session/background/:process',
    { schema: { params: z.object({ session: id, process: id }), response: { 204: emptyReply } } },
    async (request, reply) => {
      const { params } = request;
      await (await find(params)).stopCommand(params.process, loginOf(request).name);
      return reply.code(204).send();
    },
  );
};

function checkSize(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= INPUT_LIMIT) return;
  throw new Failure(
    'tooLarge',
    'input.tooLarge',
    `The text is ${bytes} bytes long; ${INPUT_LIMIT} is the limit. Put it into a file and name the file instead.`,
  );
}
