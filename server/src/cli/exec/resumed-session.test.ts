import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resumedSession } from './resumed-session.ts';

const id = (n: number) => `01a22a5e-995b-7061-bad7-${String(n).padStart(12, '0')}`;

async function home(
  files: { n: number; cwd: string; at: number; source?: unknown; revert?: number; archived?: boolean }[],
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tscodex-resumed-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const { n, cwd, at, source, revert, archived } of files) {
    const folder = archived ? join(dir, 'archived_sessions') : join(dir, 'sessions', '2026', '01', '02');
    await mkdir(folder, { recursive: true });
    const own = revert === undefined ? '' : `_${id(revert)}`;
    const path = join(folder, `rollout-2026-01-02T03-04-05-${id(n)}${own}.jsonl`);
    const payload = { id: id(n), cwd, timestamp: '2026-01-02T03:04:05.000Z', source };
    await writeFile(path, `${JSON.stringify({ timestamp: '', type: 'session_meta', payload })}\n`);
    await utimes(path, at, at);
  }
  return dir;
}

test('a session is named by its whole id, in any case', async () => {
  const codexHome = await home([{ n: 1, cwd: '/w', at: 1 }]);
  expect(await resumedSession(codexHome, { id: id(1).toUpperCase() }, '/w')).toMatchObject({
    id: id(1),
    cwd: '/w',
  });
});

test.each(['', '2026', 'a', id(1).slice(0, 20), id(2)])('%j names none', async (asked) => {
  const codexHome = await home([{ n: 1, cwd: '/w', at: 1 }]);
  await expect(resumedSession(codexHome, { id: asked }, '/w')).rejects.toMatchObject({
    code: 'exec.session',
  });
});

test('the last one is the newest of the directory that no agent has started', async () => {
  const codexHome = await home([
    { n: 1, cwd: '/w', at: 1 },
    { n: 2, cwd: '/w', at: 2, source: 'cli' },
    { n: 3, cwd: '/w', at: 3, source: { subagent: { thread_spawn: {} } } },
    { n: 4, cwd: '/other', at: 4 },
  ]);
  expect(await resumedSession(codexHome, 'last', '/w')).toMatchObject({ id: id(2) });
  await expect(resumedSession(codexHome, 'last', '/none')).rejects.toMatchObject({ code: 'exec.session' });
});

test('a session goes on in the file of its last revert, whenever the others were written', async () => {
  const codexHome = await home([
    { n: 1, cwd: '/w', at: 5 },
    { n: 1, cwd: '/w', at: 2, revert: 20 },
    { n: 1, cwd: '/w', at: 3, revert: 10 },
    { n: 2, cwd: '/w', at: 1 },
  ]);
  const path = expect.stringMatching(`${id(1)}_${id(20)}.jsonl$`);
  expect(await resumedSession(codexHome, { id: id(1) }, '/w')).toMatchObject({ id: id(1), path });
  expect(await resumedSession(codexHome, 'last', '/w')).toMatchObject({ id: id(1), path });
});

test('one whose last file is archived is not gone on with in an older one', async () => {
  const codexHome = await home([
    { n: 1, cwd: '/w', at: 5 },
    { n: 1, cwd: '/w', at: 2, revert: 20, archived: true },
  ]);
  for (const which of ['last', { id: id(1) }] as const)
    await expect(resumedSession(codexHome, which, '/w')).rejects.toMatchObject({ code: 'exec.session' });
});
