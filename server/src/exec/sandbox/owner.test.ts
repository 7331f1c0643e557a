import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandStage } from '../commands.test-support.ts';
import type { Confinement } from './confinement.ts';
import { mayReach } from './owner.ts';

/** Without an account, and one that has one everywhere. */
const NUMBER = 51_234;
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('commands as the owner of their directory: only root can try it');

describe.skipIf(!isRoot)('a server that is root runs commands as the owner of their directory', () => {
  let stage: CommandStage;
  let work: string;

  beforeEach(async () => {
    stage = await CommandStage.open(undefined, '/usr/bin/bwrap');
    work = mkdtempSync(join(tmpdir(), 'tscodex-owned-'));
    chownSync(work, NUMBER, NUMBER);
  });

  afterEach(async () => {
    await stage.close();
    rmSync(work, { recursive: true });
  });

  const confinement = (): Confinement => ({
    ...{ mode: 'workspace-write', network: false, unixSockets: false },
    ...{ roots: [work], write: [], hidden: [], readable: [] },
  });

  function run(command: string, how: { confined: boolean; tty: boolean }) {
    return stage.run(command, {
      ...{ cwd: work, asOwnerOf: work, tty: how.tty, confinement: how.confined ? confinement() : null },
      env: { ...stage.env, AWKWARD: "it's $HOME\n`x` \\", 'no-name': 'x' },
    });
  }

  describe.each([
    { confined: false, tty: false },
    { confined: false, tty: true },
    { confined: true, tty: false },
    { confined: true, tty: true },
  ])('confined: $confined, terminal: $tty', (how) => {
    test('with its groups alone, its files, its terminal and its environment', async () => {
      const running = run(
        'echo $UID "[$(id -G)]" $HOME; touch made; head -c1 /etc/shadow; echo "$AWKWARD"; [ -t 0 ] && : > $(tty) && echo typed; echo err > /dev/stderr; exit 3',
        how,
      );
      expect(await running.exited).toEqual({ exitCode: 3, signal: null });
      const output = running.output().replaceAll('\r', '');
      expect(output).toMatch(/^51234 \[51234\] \/\nhead: .*Permission denied\nit's \$HOME\n`x` \\\n/s);
      expect(output.includes('typed')).toBe(how.tty);
      expect(output).toMatch(/\nerr\n$/);
      expect(statSync(join(work, 'made'))).toMatchObject({ uid: NUMBER, gid: NUMBER });
      const left = readdirSync(join(stage.cwd, '.sandbox')).filter((name) => /^(env|status)/.test(name));
      expect(left).toEqual([]);
      expect(readdirSync(work)).toEqual(['made']);
    });

    test('and ends them', async () => {
      const running = run("trap 'echo bye; exit 5' TERM HUP; echo up; while :; do sleep 0.05; done", how);
      await stage.until(running, 'up');
      await running.stop();
      expect(running.exit).toEqual({ exitCode: 5, signal: null });
      expect(stage.living()).toEqual([]);
    });
  });

  test("what the owner cannot get to is in no one's way, and cannot be let write in", async () => {
    const closed = mkdtempSync(join(tmpdir(), 'tscodex-closed-'));
    const inside = join(closed, 'inside');
    mkdirSync(inside);
    const hidden = { ...confinement(), hidden: [inside, '/root/.ssh'], readable: [inside] };
    for (const [asOwnerOf, uid] of [
      [work, NUMBER],
      [stage.cwd, 0],
    ] as const) {
      // a directory that is neither's
      chownSync(closed, NOBODY, NOBODY);
      const roots = [asOwnerOf];
      const running = stage.run('id -u', { cwd: asOwnerOf, asOwnerOf, confinement: { ...hidden, roots } });
      expect(await running.exited).toEqual({ exitCode: 0, signal: null });
      expect(running.output()).toBe(`${uid}\n`);
      const write = { ...hidden, roots, write: [inside] };
      expect(() => stage.run('true', { cwd: asOwnerOf, asOwnerOf, confinement: write })).toThrow(
        expect.objectContaining({ code: 'sandbox.root' }),
      );
    }
    rmSync(closed, { recursive: true });
  });

  test('whose commands run there was settled at the first look: neither a link nor another directory changes it', async () => {
    const sub = join(work, 'sub');
    mkdirSync(sub);
    chownSync(sub, NUMBER, NUMBER);
    const start = () => stage.run('id -u', { cwd: work, asOwnerOf: sub });
    const first = start();
    await first.exited;
    expect(first.output()).toBe(`${NUMBER}\n`);
    renameSync(sub, join(work, 'gone'));
    symlinkSync('/etc', sub);
    expect(start).toThrow(expect.objectContaining({ code: 'session.cwd-changed' }));
    unlinkSync(sub);
    // as if one of root's own had been moved here
    mkdirSync(sub);
    expect(start).toThrow(expect.objectContaining({ code: 'session.cwd-changed' }));
  });

  test("what was root's and is given to somebody is theirs from then on", async () => {
    const sub = join(work, 'sub');
    mkdirSync(sub);
    for (const uid of [0, NUMBER]) {
      chownSync(sub, uid, uid);
      const running = stage.run('id -u', { cwd: work, asOwnerOf: sub });
      await running.exited;
      expect(running.output()).toBe(`${uid}\n`);
    }
  });

  test('an account has its name, home and groups', async () => {
    chownSync(work, NOBODY, NOBODY);
    const running = run('echo $USER $LOGNAME $HOME; id -G', { confined: false, tty: false });
    await running.exited;
    expect(running.output()).toBe(`nobody nobody /nonexistent\n${NOBODY}\n`);
  });

  test('what is made to run before runs without what the environment says of it', async () => {
    writeFileSync(join(work, 'setpriv'), '#!/bin/sh\nid -u > stolen\n', { mode: 0o755 });
    const running = stage.run('id -u', {
      ...{ cwd: work, asOwnerOf: work, env: { PATH: `${work}:/usr/bin:/bin`, LD_PRELOAD: '/no/such.so' } },
    });
    await running.exited;
    expect(running.output().split('\n').at(-2)).toBe(`${NUMBER}`);
    expect(readdirSync(work)).toEqual(['setpriv']);
  });

  test('a directory that is gone has no owner', () => {
    expect(() => stage.run('true', { asOwnerOf: '/no/such/place' })).toThrow(
      expect.objectContaining({ code: 'exec.owner' }),
    );
  });

  test('what an owner cannot get to', () => {
    const owner = { uid: NUMBER, gid: NUMBER, groups: [NUMBER], name: null, home: '/' };
    expect(mayReach(join(work, 'x'), owner)).toBe(true);
    expect(mayReach(join(work, 'x'), { ...owner, uid: NOBODY })).toBe(false);
    expect(mayReach('/no/such/place', owner)).toBe(false);
  });
});
