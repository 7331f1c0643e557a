import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackgroundCommand } from '@tscodex/shared/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandCeiling } from './command-ceiling.ts';
import { commandEnvironment } from './environment.ts';
import { allProcesses } from './process-list.ts';
import { ProcessManager } from './process-manager.ts';
import type { CommandStart, RunningProcess } from './running-process.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { sweep } from './sweep.ts';

const MARKER = `test-${process.pid}`;

let cwd: string;
let listed: BackgroundCommand[][];
let processes: ProcessManager;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'tscodex-exec-'));
  listed = [];
  const sandbox = await Sandbox.open({ bwrap: '/missing/bwrap', dir: join(cwd, 'sandbox') });
  processes = new ProcessManager({
    ...{ marker: MARKER, sandbox, ceiling: new CommandCeiling() },
    onBackground: (commands) => listed.push(commands),
  });
});

afterEach(async () => {
  await processes.stopAll();
  await sweep(MARKER);
  rmSync(cwd, { recursive: true });
});

function run(command: string, options: Partial<CommandStart> = {}): RunningProcess {
  return processes.start({
    command,
    argv: ['bash', '-c', command],
    cwd,
    env: commandEnvironment(process.env),
    tty: false,
    confinement: null,
    asOwnerOf: cwd,
    turnId: 'turn',
    itemId: 'item',
    onOutput: () => undefined,
    ...options,
  });
}

async function outputOf(running: RunningProcess): Promise<string> {
  await running.exited;
  return running.output();
}

async function until(running: RunningProcess, text: string): Promise<void> {
  await eventually(() => expect(running.output()).toContain(text));
}

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 });
}

/** Living processes of these tests with the command line. */
function named(commandLine: string): number[] {
  return allProcesses()
    .filter(({ pid, state }) => state !== 'Z' && words(pid, 'cmdline').join(' ').trim() === commandLine)
    .filter(({ pid }) => words(pid, 'environ').some((entry) => entry.startsWith(`TSCODEX_EXEC=${MARKER}`)))
    .map(({ pid }) => pid);
}

function words(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return []; // it has ended meanwhile
  }
}

test('output and errors come in order through a real pipe, then the exit code', async () => {
  const running = run('echo one; echo two >&2; echo three > /dev/stderr; echo four; exit 3');
  expect(await running.exited).toEqual({ exitCode: 3, signal: null });
  expect(running.readNew().head).toBe('one\ntwo\nthree\nfour\n');
  expect(running.readNew().head).toBe('');
});

test('nothing waits for input', async () => {
  expect(await outputOf(run('cat; read x; echo "[$x] $?"'))).toBe('[] 1\n');
});

test('a program that does not exist', () => {
  expect(() => run('x', { argv: ['/no/such/shell', '-c', 'x'] })).toThrow(
    /^\/no\/such\/shell could not be started: it is missing/,
  );
});

test('a character cut in two arrives whole (O-B1)', async () => {
  const deltas: string[] = [];
  const running = run("printf '\\xe4\\xbd'; sleep 0.2; printf '\\xa0'", {
    onOutput: (delta) => deltas.push(delta),
  });
  await running.exited;
  expect(deltas.join('')).toBe('你');
});

test.each([
  ['sleep 300 & echo started', 'sleep 300', true],
  ['setsid sleep 301 & echo started', 'sleep 301', false],
  ['(sleep 303 >/dev/null 2>&1 &) ; echo started', 'sleep 303', true],
  ['nohup sleep 302 >/dev/null & echo started', 'sleep 302', true],
])('a child that is left behind does not hold the call (O-D1): %s', async (command, child, ours) => {
  const running = run(command);
  expect(await running.exited).toEqual({ exitCode: 0, signal: null });
  expect(running.output()).toContain('started\n');
  await eventually(() => expect(named(child)).toHaveLength(1));
  expect(processes.list().map((each) => each.command)).toEqual(ours ? [command] : []);
  expect(await outputOf(run('echo next'))).toBe('next\n');

  await processes.stopAll();
  expect(named(child)).toHaveLength(ours ? 0 : 1);
  expect(processes.list()).toEqual([]);
});

test('what has left the group but not the session ends with the session', async () => {
  await run('timeout 305 sleep 306 & echo started').exited;
  await eventually(() => expect(named('sleep 306')).toHaveLength(1));
  await processes.stopAll();
  expect(named('sleep 306')).toEqual([]);
});

test('what is left behind may go on writing', async () => {
  const running = run('(sleep 0.5; for i in 1 2 3; do echo line; done; echo done > late) & echo started');
  await running.exited;
  await eventually(() => expect(readFileSync(join(cwd, 'late'), 'utf8')).toBe('done\n'));
  expect(running.output()).toBe('started\n');
});

test('stopping a turn ends the groups of its commands, and no others', async () => {
  const first = run('sleep 310; echo not reached');
  const pipeline = run('sleep 311 | cat', { itemId: 'pipeline' });
  const other = run('sleep 312', { turnId: 'other' });
  await eventually(() => expect([310, 311, 312].flatMap((n) => named(`sleep ${n}`))).toHaveLength(3));
  await processes.stopTurn('turn');
  expect([first.exit, first.stopped]).toEqual([{ exitCode: null, signal: 'SIGTERM' }, true]);
  expect(pipeline.exit?.signal).toBe('SIGTERM');
  expect(named('sleep 310')).toEqual([]);
  expect(named('sleep 311')).toEqual([]);
  expect(other.exit).toBeNull();
});

test('what ignores TERM is killed after the grace, job control or not', async () => {
  const running = run(
    "set -m; trap '' TERM; (trap '' TERM; sleep 320 & wait; wait) & echo up; while :; do wait; done",
  );
  await until(running, 'up');
  await processes.stop(running.id);
  expect(running.exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
  expect(named('sleep 320')).toEqual([]);
});

test('a program may use the grace to end in order', async () => {
  const running = run("trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done");
  await until(running, 'up');
  await processes.stop(running.id);
  expect(running.exit).toEqual({ exitCode: 5, signal: null });
  expect(running.output()).toContain('bye');
});

test('the background list follows what runs on after its call', async () => {
  const running = run('sleep 330', { itemId: 'the item' });
  expect(listed).toEqual([]);
  running.toBackground();
  expect(listed).toEqual([
    [
      {
        processId: running.id,
        itemId: 'the item',
        command: 'sleep 330',
        startedAt: running.startedAt.toISOString(),
      },
    ],
  ]);
  await processes.stop(running.id);
  expect(listed.at(-1)).toEqual([]);
  await expect(processes.stop(running.id)).rejects.toMatchObject({ code: 'exec.unknown' });
});

test('64 commands may run, not one more', async () => {
  for (let i = 0; i < 64; i++) run('sleep 340');
  expect(() => run('true')).toThrow(/64 commands of this session still run/);
  await processes.stopAll();
  expect(await outputOf(run('echo again'))).toBe('again\n');
});

test('of ended commands the newest sixteen are remembered', async () => {
  const long = run('echo long; sleep 400', { itemId: 'long' });
  for (let i = 0; i < 20; i++) await run(`echo ${i}`, { itemId: `item ${i}` }).exited;
  expect(processes.output('item 3')).toBeNull();
  expect(processes.output('item 4')).toBe('4\n');
  await long.stop();
  expect(processes.output('long')).toBe('long\n');
  expect(processes.output('item 4')).toBeNull();
});

test('a flood of 300 MB costs bounded memory and keeps both ends (O-D3)', async () => {
  const before = process.memoryUsage().rss;
  let most = 0;
  let shown = 0;
  const running = run('echo START; yes | head -c 300000000; echo END', {
    onOutput: (delta) => {
      shown += delta.length;
      most = Math.max(most, process.memoryUsage().rss - before);
    },
  });
  await running.exited;
  const { head, tail, bytes, omitted } = running.readNew();
  expect(head.startsWith('START\ny\n')).toBe(true);
  expect(tail.endsWith('y\nEND\n')).toBe(true);
  expect(bytes).toBe(300_000_010);
  expect(omitted).toBe(bytes - head.length - tail.length);
  expect(most).toBeLessThan(100_000_000);
  expect(shown).toBeLessThan(100_000_000);
});

test('an endless flood ends at once', async () => {
  const running = run('yes');
  await until(running, 'y\ny\n');
  await running.stop();
  // within the grace, or it would be KILL
  expect(running.exit?.signal).toBe('SIGTERM');
});

test('a terminal echoes, is a terminal, and passes Ctrl-C', async () => {
  const running = run(
    'tty; stty size; read -p "name? " n; echo "got $n"; trap "echo cut; exit 7" INT; sleep 350',
    {
      tty: true,
    },
  );
  await until(running, 'name? ');
  running.write('x\n');
  await until(running, 'got x');
  running.write('\u0003');
  expect(await running.exited).toEqual({ exitCode: 7, signal: null });
  expect(running.output()).toMatch(/^\/dev\/\S+\r\n24 80\r\nname\? x\r\ngot x\r\n\^C.*cut\r\n$/s);
  expect(named('sleep 350')).toEqual([]);
});

test('an interactive shell in a terminal can be stopped', async () => {
  const running = run('bash -i', { argv: ['bash', '--norc', '-i'], tty: true });
  running.write('sleep 360 &\n echo ready=$((1+1))\n');
  await until(running, 'ready=2');
  await running.stop();
  expect(named('sleep 360')).toEqual([]);
});

test('a hundred terminals, detached children and killed ones leave no descriptors (Q54)', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const masters = () =>
    readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`).includes('ptmx')).length;
  await run('true', { tty: true }).exited;
  const before = open();
  const ten = (each: () => Promise<unknown>) => Promise.all(Array.from({ length: 10 }, each));
  for (let i = 0; i < 8; i++) await ten(() => run('true', { tty: true }).exited);
  await ten(() => run('setsid sleep 370 & true', { tty: true }).exited);
  await ten(() => run('sleep 371', { tty: true }).stop());
  await ten(() => run('setsid sleep 372 & true').exited);
  await eventually(() => expect(open()).toBeLessThanOrEqual(before + 2));
  expect(masters()).toBe(0);
  expect(await outputOf(run('tty', { tty: true }))).toMatch(/^\/dev\//);
});

test('a command does not inherit the terminals of others', async () => {
  run('sleep 380', { tty: true });
  run('sleep 380', { tty: true });
  expect(await outputOf(run('ls -l /proc/self/fd; exit 4'))).not.toContain('ptmx');
  const inTerminal = run('ls -l /proc/self/fd', { tty: true });
  expect(await outputOf(inTerminal)).not.toContain('ptmx');
  expect(inTerminal.exit?.exitCode).toBe(0);
});

test('what was started only just now can be stopped', async () => {
  for (let i = 0; i < 40; i++) await run('sleep 395', { tty: true }).stop();
  expect(named('sleep 395')).toEqual([]);
});

test('the sweep finds what a crash has left by its marker', async () => {
  const marker = `${MARKER}-crashed`;
  const env = { ...process.env, TSCODEX_EXEC: marker };
  const left = spawn('bash', ['-c', 'sleep 390 & wait'], { env, detached: true, stdio: 'ignore' });
  const gone = new Promise((resolve) => left.once('exit', resolve));
  await eventually(() => expect(named('sleep 390')).toHaveLength(1));
  expect(await sweep(`${MARKER}-another`)).toBe(0);
  expect(await sweep(marker)).toBe(2);
  await gone;
  expect(named('sleep 390')).toEqual([]);
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}
