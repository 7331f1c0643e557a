import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startOf } from '../process-list.ts';
import { insideGone, readStatus } from './bubblewrap-status.ts';

/** All processes run for ever; when the one that is asked about was started, look by look. */
vi.mock('../process-list.ts', () => ({ isGone: () => false, startOf: vi.fn() }));

test('another process that has got the number is not waited for', async () => {
  vi.mocked(startOf)
    .mockReturnValueOnce('1')
    .mockReturnValueOnce('1')
    .mockReturnValueOnce('1')
    .mockReturnValue('2');
  await insideGone({ inside: 7, ran: true });
  expect(startOf).toHaveBeenCalledTimes(4);
});

test('of what cannot be read it is not said that nothing has run', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tscodex-status-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  expect(readStatus(join(dir, 'missing'))).toEqual({ inside: null, ran: false });
  mkdirSync(join(dir, 'status'));
  expect(readStatus(join(dir, 'status'))).toEqual({ inside: null, ran: true });
});
