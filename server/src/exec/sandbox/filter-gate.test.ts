import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PipeStore } from '../pipe-store.ts';
import { FilterGate } from './filter-gate.ts';
import type { MountState } from './mount-check.ts';
import { seccompFilter } from './seccomp.ts';

const FILTER = seccompFilter({ unixSockets: false }) as Buffer;

/** bubblewrap before a program that prints "started", with what it has printed by its end. */
function scene(look: () => MountState) {
  const dir = mkdtempSync(join(tmpdir(), 'tscodex-gate-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const gate = new FilterGate(new PipeStore(dir).takePath(), FILTER, look);
  const words = ['--ro-bind', '/', '/', '--unshare-pid', '--seccomp', '3', 'echo', 'started'];
  const child = spawn('/usr/bin/bwrap', words, { stdio: ['ignore', 'pipe', 'pipe', gate.reader] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += text;
    });
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { gate, ended };
}

test('nothing starts until all is mounted as it was meant', async () => {
  const seen: MountState[] = ['unfinished', 'unfinished', 'asMeant'];
  const { gate, ended } = scene(() => seen.shift() ?? 'moved');
  expect(await ended).toEqual({ code: 0, output: 'started\n' });
  expect([gate.refused, seen]).toEqual([false, []]);
});

test('nor where something else is mounted', async () => {
  const { gate, ended } = scene(() => 'moved');
  expect(await ended).toMatchObject({ code: 1, output: expect.not.stringContaining('started') });
  expect(gate.refused).toBe(true);
});

test('nor where whoever would hand it the filter is gone', async () => {
  const { gate, ended } = scene(() => 'unfinished');
  gate.close();
  expect(await ended).toMatchObject({ code: 1, output: expect.not.stringContaining('started') });
  expect(gate.refused).toBe(false);
});

test('its descriptors are closed, and what was looked at is looked at no more', async () => {
  let looks = 0;
  const before = readdirSync('/proc/self/fd').length;
  const { gate, ended } = scene(() => {
    looks++;
    return 'unfinished';
  });
  gate.close();
  gate.close();
  await ended;
  const then = looks;
  expect(readdirSync('/proc/self/fd').length).toBe(before);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(looks).toBe(then);
});
