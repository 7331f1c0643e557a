import { expect, test } from 'vitest';
import { createLogger } from './logging.ts';

test('secrets are left out, at the top and inside', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  log.info({ password: 's3cret', headers: { cookie: 's3cret', 'set-cookie': ['s3cret'] } }, 'a');
  log.info({ req: { headers: { authorization: 's3cret' }, body: { token: 's3cret' } }, path: '/x' }, 'b');
  log.debug('not at this level');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a', 'b']);
  expect(lines.join('')).not.toContain('s3cret');
  expect(lines[1]).toContain('"path":"/x"');
});
