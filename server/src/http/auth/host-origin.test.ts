import { expect, test } from 'vitest';
import { hostAllowed, hostPolicy, originAllowed } from './host-origin.ts';

const policy = hostPolicy({
  machineName: 'Box.corp.example',
  allowedHosts: ['Dev.Example:8443', 'other'],
  publicUrl: new URL('https://agents.example/x/agent/'),
});

test.each([
  ['127.0.0.1:6007', true],
  ['10.1.2.3', true],
  ['[::1]:6007', true],
  ['[fe80::1]', true],
  ['localhost:1', true],
  ['LOCALHOST', true],
  ['box.corp.example', true],
  ['box:6007', true],
  ['dev.example', true],
  ['other:99', true],
  ['agents.example', true],
  ['evil.example:6007', false],
  ['localhost.evil.example', false],
  ['evil.example@127.0.0.1', false],
  ['127.0.0.1:6007/x', false],
  ['127.0.0.1.evil.example', false],
  ['', false],
  ['a b', false],
  [undefined, false],
])('host %s: %s', (host, allowed) => {
  expect(hostAllowed(policy, host)).toBe(allowed);
});

test.each([
  ['http://127.0.0.1:6007', '127.0.0.1:6007', true],
  ['http://localhost:6007', 'localhost:6007', true],
  ['http://[::1]:6007', '[::1]:6007', true],
  ['https://box', 'box', true],
  ['https://box', 'box:443', true],
  ['http://box', 'box:80', true],
  ['https://agents.example', '127.0.0.1:6007', true],
  ['http://agents.example', '127.0.0.1:6007', false],
  ['http://localhost:6007', '127.0.0.1:6007', false],
  ['http://127.0.0.1:1', '127.0.0.1:6007', false],
  ['https://evil.example', '127.0.0.1:6007', false],
  ['null', '127.0.0.1:6007', false],
  ['', '127.0.0.1:6007', false],
  ['file://', '127.0.0.1:6007', false],
  ['http://127.0.0.1:6007', undefined, false],
])('origin %s for host %s: %s', (origin, host, allowed) => {
  expect(originAllowed(policy, origin, host)).toBe(allowed);
});
