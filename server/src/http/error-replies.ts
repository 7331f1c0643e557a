/** What a failed request is answered with: a status, a stable code and one sentence. Never a stack. */
import type { Problem } from '@tscodex/shared/workspace';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { Failure, type FailureKind, problemOf } from '../base/errors.ts';
import { isPageRequest } from './auth/guard.ts';
import { messagePage } from './message-page.ts';
import { type PageLanguage, pageLanguageOf } from './page-language.ts';
import { rootFrom } from './relative-url.ts';

const statusOf: Record<FailureKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  mediaType: 415,
  tooMany: 429,
  unavailable: 503,
};

/** A person is told in words; the sentence below says which thing and what to do. */
const titles: Record<PageLanguage, Record<number, string>> = {
  en: {
    403: 'Not allowed',
    404: 'Not found',
    429: 'Too many requests',
    500: 'Something went wrong',
    503: 'Not available',
  },
  zh: { 403: '不允许访问', 404: '没有找到', 429: '请求太多', 500: '服务器出错', 503: '暂时不可用' },
};

const toWorkspaces: Record<PageLanguage, string> = { en: 'All workspaces', zh: '所有工作区' };

type Refusal = { status: number } & Problem;

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.id);
    if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
    return send(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, {
      status: 404,
      code: 'request.unknownPath',
      message: `There is nothing at ${request.method} ${request.url.split('?', 1)[0]}.`,
    }),
  );
}

function send(request: FastifyRequest, reply: FastifyReply, { status, ...error }: Refusal): FastifyReply {
  const retryAfter = error.details?.retryAfter;
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
  // who still sends a body too large reads no answer on a connection that is closed under its hands
  if (status === 413) reply.removeHeader('connection');
  reply.code(status);
  if (!isPageRequest(request) || request.ws) return reply.type('application/json').send({ error });
  const language = pageLanguageOf(request);
  const title = titles[language][status] ?? `${status}`;
  // a board's page lies in a frame, out of which no link leads
  const isLost = status === 404 && !request.url.includes('/board/');
  const link = isLost ? { href: rootFrom(request.url), words: toWorkspaces[language] } : undefined;
  const page = messagePage({ language, title, text: error.message, link });
  return reply.type('text/html; charset=utf-8').send(page);
}

function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof Failure) return { status: statusOf[error.kind], ...problemOf(error) };
  if (hasZodFastifySchemaValidationErrors(error))
    return { status: 400, code: 'request.invalid', message: sentenceOf(error), ...detailsOf(error) };
  const { statusCode, code, message } = error as FastifyError;
  if (statusCode === 413)
    return { status: 413, code: 'request.tooLarge', message: 'The body of this request is too large.' };
  // Fastify's own refusals: no JSON, a foreign media type, a malformed URL
  if (statusCode !== undefined && statusCode < 500 && code?.startsWith('FST_'))
    return { status: statusCode, code: 'request.invalid', message };
  return {
    status: 500,
    code: 'server.internal',
    message: `Something went wrong inside the server; its log says more under ${requestId}.`,
  };
}

type Invalid = { validationContext?: string; validation: { instancePath: string; message?: string }[] };

/** `body: text: the text is empty; body: mode: …` */
function sentenceOf({ validationContext = 'request', validation }: Invalid): string {
  const issues = validation.slice(0, 5).map(({ instancePath, message }) => {
    return [validationContext, fieldAt(instancePath), message ?? 'is not valid'].filter(Boolean).join(': ');
  });
  return issues.join('; ');
}

/** For a page that says it beside the field: the first of the body that is wrong. */
function detailsOf({ validationContext, validation }: Invalid): { details?: { field: string } } {
  const field = fieldAt(validation[0]?.instancePath ?? '');
  return validationContext === 'body' && field !== '' ? { details: { field } } : {};
}

function fieldAt(instancePath: string): string {
  return instancePath.split('/').filter(Boolean).join('.');
}
