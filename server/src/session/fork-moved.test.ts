/** A session that is archived while a fork of it is made. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sessionId, sessionPath, writeSession } from './catalog/session-files.test-support.ts';
import { forkRollout } from './fork-rollout.ts';

/** What happens between the two readings of the source, or before the first. */
let between: () => void = () => undefined;
vi.mock('./fork-point.ts', async (original) => {
  const { forkPoint } = await original<typeof import('./fork-point.ts')>();
  return {
    forkPoint: async (...asked: Parameters<typeof forkPoint>) => {
      const found = await forkPoint(...asked);
      between();
      return found;
    },
  };
});

let codexHome: string;
beforeEach(() => {
  codexHome = mkdtempSync(join(tmpdir(), 'tscodex-fork-'));
  onTestFinished(() => rmSync(codexHome, { recursive: true, force: true }));
});

function forked(from: string) {
  const to = sessionPath(codexHome, 2);
  const meta = { id: sessionId(2), timestamp: '', cwd: '/', originator: 'tscodex', cli_version: '0' };
  return forkRollout({ from, to, before: undefined, meta });
}

test('it is found again, between the readings as before them, and the fork is whole', async () => {
  const path = writeSession({ codexHome }, 1, ['A question', 'An answer']);
  const archived = join(codexHome, 'archived_sessions', basename(path));
  mkdirSync(dirname(archived));
  between = () => {
    between = () => undefined;
    renameSync(path, archived);
  };
  const first = await forked(path);
  expect(first.hasMessages).toBe(true);
  const text = readFileSync(sessionPath(codexHome, 2), 'utf8');
  expect(text).toContain('A question');
  expect(text).toContain('An answer');
  rmSync(sessionPath(codexHome, 2));
  expect(await forked(path)).toEqual(first);
  expect(readFileSync(sessionPath(codexHome, 2), 'utf8').split('\n')).toHaveLength(text.split('\n').length);
});

test('one that is gone for good is no empty fork, but a failure', async () => {
  const path = writeSession({ codexHome }, 1, ['A question', 'An answer']);
  between = () => rmSync(path);
  await expect(forked(path)).rejects.toMatchObject({ code: 'rollout.unreadable' });
  expect(() => readFileSync(sessionPath(codexHome, 2))).toThrow('ENOENT');
});
