/**
 * The ways out that were found by experiment before this sandbox was built. What a command reaches without a /proc of
 * its own (F) is tried in `escapes` as E03, E04 and P04.
 */
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandStage } from '../commands.test-support.ts';
import type { Confinement } from './confinement.ts';

const isRoot = process.getuid?.() === 0;

let stage: CommandStage;

beforeEach(async () => {
  stage = await CommandStage.open(undefined, '/usr/bin/bwrap');
});

afterEach(() => stage.close());

function confinement(changes: Partial<Confinement> = {}): Confinement {
  return {
    ...{ mode: 'read-only', network: false, unixSockets: false },
    ...{ roots: [], write: [], hidden: [], readable: [] },
    ...changes,
  };
}

async function outputOf(command: string, changes: Partial<Confinement> = {}): Promise<string> {
  const running = stage.run(command, { confinement: confinement(changes) });
  await running.exited;
  return running.output();
}

test('A: no capability is left to remount what is read-only', async () => {
  expect(await outputOf("grep -c 'Cap\\(Inh\\|Prm\\|Eff\\|Amb\\):.0000000000000000' /proc/self/status")).toBe(
    '4\n',
  );
  const remounted = 'mount -o remount,bind,rw / && touch /etc/tscodex-escaped';
  expect(await outputOf(`${remounted} && echo ESCAPED`)).not.toContain('ESCAPED');
  expect(existsSync('/etc/tscodex-escaped')).toBe(false);
});

describe.skipIf(!isRoot)('B: settings of the kernel, which root needs no capability for', () => {
  // opened, never written
  const open = '(: >> /proc/sys/kernel/core_pattern) && echo OPENED';

  test('cannot be opened for writing', async () => {
    expect(await outputOf(open)).toMatch(/Read-only file system\n$/);
  });

  test('and could be, were they not covered', async () => {
    const running = stage.run(open);
    await running.exited;
    expect(running.output()).toBe('OPENED\n');
  });
});

test('C: a socket of the host cannot be connected to, with the network or without', async () => {
  const path = join(stage.cwd, 'socket');
  const server = stage.run(
    `/usr/bin/python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("${path}"); s.listen(); print("up", flush=True)
while True: s.accept()[0].send(b"ESCAPED")'`,
  );
  await stage.until(server, 'up');
  const connect = `/usr/bin/python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(9))' 2>&1 | tail -1`;
  expect(await outputOf(connect)).toMatch(/PermissionError/);
  expect(await outputOf(connect, { network: true })).toMatch(/ConnectionRefused|not a socket|refused/i);
  expect(await outputOf(connect, { unixSockets: true })).toMatch(/ConnectionRefused|refused/i);
  // what a person has allowed by name
  expect(await outputOf(connect, { unixSockets: true, write: [path] })).toContain('ESCAPED');
});

test.skipIf(!isRoot)("C: a socket in a closed directory of somebody else is in no one's way", async () => {
  const closed = join(stage.cwd, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  chownSync(closed, 51_234, 51_234);
  const server = createServer().listen(join(closed, 'socket'));
  await once(server, 'listening');
  expect(await outputOf('echo fine', { network: true })).toBe('fine\n');
  server.close();
});

test('D: with the network off there is none but the own loopback', async () => {
  expect(await outputOf('tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " " | sort -u | head -1')).toBe(
    'lo\n',
  );
  expect(await outputOf('readlink /proc/self/ns/net', { network: true })).not.toBe(
    await outputOf('readlink /proc/self/ns/net'),
  );
});

test.skipIf(!isRoot)(
  'E: root reads what only root may; where that is too much, it is to be hidden',
  async () => {
    expect(await outputOf('head -c4 /etc/shadow')).toBe('root');
    expect(await outputOf('head -c4 /etc/shadow', { hidden: ['/etc/shadow'] })).toMatch(
      /Permission denied\n$/,
    );
  },
);
