import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PipeStore } from './pipe-store.ts';
import { ProcessReader } from './process-list.ts';
import { RunningProcess } from './running-process.ts';
import type { PreparedProgram } from './sandbox/prepared-program.ts';

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
    { pipes: new PipeStore(join(cwd, 'pipes')), reader: new ProcessReader() },
    () => undefined,
  );
  expect((await running.exited).failure).toMatchObject({
    ...{ code: 'exec.end', message: expect.stringContaining('no space left') },
  });
  expect(prepared).toBe(1);
  expect(running.alive).toBe(false);
});
