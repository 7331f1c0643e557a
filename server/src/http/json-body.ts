/** Reads request bodies: JSON in UTF-8 and nothing else, so that no plain form or text post does anything. */
import type { FastifyInstance } from 'fastify';
import { Failure } from '../base/errors.ts';

export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const text = textOf(body);
    if (text === null)
      return done(new Failure('invalid', 'request.encoding', 'The body is not valid UTF-8.'));
    parse(request, text, (error, value) => {
      if (error)
        return done(new Failure('invalid', 'request.json', `The body is not JSON: ${error.message}.`));
      done(null, value);
    });
  });
}

function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null; // the decoder says no more than that it is not UTF-8
  }
}
