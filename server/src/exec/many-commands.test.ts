/** Many short commands leave nothing behind (O-D4, Q54); `e2e/bench` runs a thousand one after another. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandCeiling } from './command-ceiling.ts';
import { CommandStage } from './commands.test-support.ts';
import { allProcesses } from './process-list.ts';

const AT_ONCE = 10;
/** For a machine that is busy with other things. */
const BUSY = { timeout: 120_000 };

let stage: CommandStage;

beforeEach(async () => {
  stage = await CommandStage.open();
  // what the first one loads stays open
  await stage.run('true', { tty: true }).exited;
});

afterEach(() => stage.close());

/** What this process holds: descriptors, and of them terminals; children, and those nobody has waited for. */
function held() {
  const links = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
  const children = allProcesses().filter(({ pid }) => parentOf(pid) === process.pid);
  return {
    descriptors: links.length,
    terminals: links.filter((link) => link.endsWith('ptmx')).length,
    children: children.length,
  };
}

async function times(count: number, each: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, each));
}

test('terminals, what detached itself in them, and those stopped while they run', BUSY, async () => {
  const before = held();
  await times(300, () => stage.run('true', { tty: true }).exited);
  await times(50, () => stage.run('setsid sleep 430 & true', { tty: true }).exited);
  await times(50, async () => {
    const running = stage.run('echo up; sleep 431', { tty: true });
    await stage.until(running, 'up');
    await running.stop();
  });
  await stage.eventually(() => expect(held()).toEqual(before));
  expect(stage.living().filter((command) => command !== 'sleep 430')).toEqual([]);
  const next = stage.run('tty', { tty: true });
  await next.exited;
  expect(next.output()).toMatch(/^\/dev\//);
});

test('pipes, what detached itself from them, and those stopped while they run', BUSY, async () => {
  const before = held();
  await times(50, () => stage.run('true').exited);
  await times(20, () => stage.run('setsid sleep 432 & true').exited);
  await times(20, () => stage.run('sleep 433').stop());
  await stage.eventually(() => expect(held()).toEqual(before));
});

test('confined, nothing stays that detached itself', BUSY, async () => {
  await stage.close();
  stage = await CommandStage.open(new CommandCeiling(), '/usr/bin/bwrap');
  const nothing = { unixSockets: false, write: [], hidden: [], readable: [] };
  const confinement = { mode: 'workspace-write', network: false, roots: [stage.cwd], ...nothing } as const;
  await stage.run('true', { tty: true, confinement }).exited;
  const before = held();
  for (const tty of [true, false]) {
    await times(20, () => stage.run('true', { tty, confinement }).exited);
    await times(10, () => stage.run('setsid sleep 434 & true', { tty, confinement }).exited);
    await times(10, async () => {
      const running = stage.run('echo up; sleep 435', { tty, confinement });
      await stage.until(running, 'up');
      await running.stop();
    });
  }
  await stage.eventually(() => expect(held()).toEqual(before));
  expect(stage.living()).toEqual([]);
});

test('what cannot be started holds nothing', BUSY, async () => {
  const before = held();
  const missing = { argv: ['/no/such/program'] } as const;
  for (let i = 0; i < 20; i++) {
    expect(() => stage.run('x', missing)).toThrow(/could not be started/);
    expect(() => stage.run('x', { cwd: '/no/such/directory' })).toThrow(/could not be started/);
    const inTerminal = await stage.run('x', { ...missing, tty: true }).exited;
    expect(inTerminal.exitCode).not.toBe(0);
  }
  await stage.eventually(() => expect(held()).toEqual(before));
});

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // it has ended meanwhile
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}
