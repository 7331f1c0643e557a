import { expect, test } from 'vitest';
import { sandboxHint } from './sandbox-hint.ts';

const confinement = {
  ...{ mode: 'workspace-write' as const, network: false, unixSockets: false },
  ...{ roots: [], write: [], hidden: [], readable: [] },
};
const failed = { exitCode: 1, signal: null };

function hint(text: string, over: object = {}): string {
  const output = { head: text, tail: '', bytes: text.length, omitted: 0 };
  return sandboxHint({ output, exit: failed, confinement, approval: 'on-request', ...over });
}

test.each([
  'touch: cannot touch x: Read-only file system',
  'bash: /etc/x: Permission denied',
  'ping: socket: Operation not permitted',
  'curl: (6) Could not resolve host: example.com',
  'connect: Network is unreachable',
  'Error: getaddrinfo EAI_AGAIN registry.npmjs.org',
])('it may be the sandbox: %s', (text) => {
  expect(hint(text)).toMatch(/require_escalated.*\n$/);
  expect(hint(text, { approval: 'never' })).toMatch(/nobody may be asked/);
  expect(hint('', { output: { head: '', tail: text, bytes: 9e6, omitted: 8e6 } })).not.toBe('');
});

test('no word where it is not: another failure, a success, no sandbox, or still running', () => {
  expect(hint('1 test failed')).toBe('');
  expect(hint('Permission denied', { exit: { exitCode: 0, signal: null } })).toBe('');
  expect(hint('Permission denied', { confinement: null })).toBe('');
  expect(hint('Permission denied', { exit: null })).toBe('');
});
