import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { InheritedDescriptors } from './inherited-descriptors.ts';
import { PipeStore } from './pipe-store.ts';
import { ProcessReader } from './process-list.ts';
import { RunningProcess } from './running-process.ts';
import type { PreparedProgram } from './sandbox/prepared-program.ts';

test('a stop that could not look at the processes can be tried again', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tscodex-running-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const reader = new ProcessReader();
  vi.spyOn(reader, 'read').mockRejectedValueOnce(new Error('too many open files'));
  const program: PreparedProgram['program'] = { argv: ['/bin/sleep', '600'], cwd, env: {} };
  const running = new RunningProcess(
    '1',
    {
      ...{ ...program, command: 'sleep 600', tty: false, confinement: null, asOwnerOf: cwd },
      ...{ turnId: 'turn', itemId: 'item', onOutput: () => undefined },
    },
    () => ({ program, enclosed: false, release: async () => null }),
    { pipes: new PipeStore(join(cwd, 'pipes')), descriptors: new InheritedDescriptors(), reader },
    () => undefined,
  );
  await expect(running.stop()).rejects.toThrow('too many open files');
  await running.stop();
  expect(running.alive).toBe(false);
});

test('what goes wrong after the end is told as the end, and tried again by nobody', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tscodex-running-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const program: PreparedProgram['program'] = { argv: ['/bin/echo', 'x'], cwd, env: {} };
  let prepared = 0;
  const prepare = (): PreparedProgram => {
    prepared++;
    return { program, enclosed: true, release: () => Promise.reject(new Error('no space left')) };
  };
  const running = new RunningProcess(
    '1',
    {
      ...{ ...program, command: 'echo x', tty: false, confinement: null, asOwnerOf: cwd },
      ...{ turnId: 'turn', itemId: 'item', onOutput: () => undefined },
    },
    prepare,
    {
      pipes: new PipeStore(join(cwd, 'pipes')),
      descriptors: new InheritedDescriptors(),
      reader: new ProcessReader(),
    },
    () => undefined,
  );
  expect((await running.exited).failure).toMatchObject({
    ...{ code: 'exec.end', message: expect.stringContaining('no space left') },
  });
  expect(prepared).toBe(1);
  expect(running.alive).toBe(false);
});
