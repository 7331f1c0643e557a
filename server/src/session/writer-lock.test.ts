import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CodexFile } from './codex-file.ts';
import { RolloutWriter } from './rollout.ts';
import { writerLock } from './writer-lock.ts';

// elsewhere nobody can tell
test.runIf(process.platform === 'linux')(
  'whoever has to wait for a writer is told which process it is',
  async () => {
    const codexHome = mkdtempSync(join(tmpdir(), 'writer-lock-'));
    onTestFinished(() => rmSync(codexHome, { recursive: true }));
    const meta = {
      id: '01a22a5e-995b-7061-bad7-000000000001',
      timestamp: '2026-01-02T03:04:05.000Z',
      cwd: '/w',
      originator: 'test',
      cli_version: '0',
    };
    const lock = writerLock(codexHome, meta.id);
    mkdirSync(dirname(lock));
    const script = 'exec 9>>"$1"; flock 9; echo held; exec cat';
    const holder = spawn('sh', ['-c', script, 'sh', lock], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(async () => {
      const ended = once(holder, 'exit');
      holder.stdin.end();
      await ended;
    });
    await once(holder.stdout, 'data');

    const { pid } = holder;
    const refused = expect.objectContaining({
      ...{ kind: 'conflict', code: 'session.locked', details: { program: 'cat', pid } },
      message: `Session ${meta.id} is being written by cat (process ${pid}): close it there first.`,
    });
    const path = join(codexHome, 'rollout.jsonl');
    expect(() => RolloutWriter.open({ codexHome, path, meta })).toThrow(refused);
    await expect(new CodexFile(path, codexHome, meta, true).prepare(false)).rejects.toThrow(refused);
  },
);
