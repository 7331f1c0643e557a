/**
 * Finds out whether bubblewrap really confines on this machine, by having a program try what must not work. Changes
 * nothing: what is tried is opening, never writing, outside of a directory made for it.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxProblem } from '@tscodex/shared/permissions';
import type { Program } from '../channel.ts';
import { type Abilities, PROC_OF_THE_MACHINE } from './bubblewrap.ts';
import { type Equipment, enclose } from './confined-program.ts';
import { Placeholders } from './placeholders.ts';
import type { PreparedProgram } from './prepared-program.ts';

/** A machine that takes longer is in no state to run commands. */
const PROBE_MS = 30_000;

/** The names of directories in which it is tried; a crash leaves them. */
export const PROBE_PLACE = 'probe-';
const NAMESPACES = ['mnt', 'pid', 'user', 'ipc', 'uts', 'net'];

/** It is tried in `dir`: where a command could write, it could have it come out as it likes. */
export type ProbeOptions = Pick<Equipment, 'bwrap' | 'dir' | 'pipes' | 'filters'>;

/** `passing`: no more than that this machine had no room at that moment, for processes or on its disk. */
export type ProbeOutcome =
  | { problem: SandboxProblem; passing: boolean; abilities: null; version: null }
  | { problem: null; abilities: Abilities; version: string };

/** Never rejects. */
export async function probe(options: ProbeOptions): Promise<ProbeOutcome> {
  try {
    accessSync(options.bwrap, constants.X_OK);
  } catch {
    return refused({ kind: 'bwrap-missing', detail: `${options.bwrap} is missing or cannot be run` });
  }
  let place: string | undefined;
  try {
    place = await realpath(await mkdtemp(join(options.dir, PROBE_PLACE)));
    const version = (
      await run({ argv: [options.bwrap, '--version'], cwd: place, env: { PATH } })
    ).output.trim();
    const defaultSignals = (await run({ argv: SIGNALS_RESET, cwd: place, env: { PATH } })).code === 0;
    const proc = PROC_OF_THE_MACHINE.filter((path) => existsSync(path));
    let abilities: Abilities = { proc, namespacesOff: true, sizes: true, defaultSignals };
    let tried = await attempt(options, abilities, place);
    if (/disable-userns/.test(tried.output)) {
      abilities = { ...abilities, namespacesOff: false };
      tried = await attempt(options, abilities, place);
    }
    if (/ --size/.test(tried.output)) {
      abilities = { ...abilities, sizes: false };
      tried = await attempt(options, abilities, place);
    }
    if (/Can't mount proc/.test(tried.output)) {
      abilities = { ...abilities, proc: null };
      tried = await attempt(options, abilities, place);
    }
    const problem = judge(tried);
    return problem ? refused(problem, isPassing(tried)) : { problem, abilities, version };
  } catch (error) {
    return refused({ kind: 'other', detail: (error as Error).message }, true);
  } finally {
    if (place !== undefined) await rm(place, { recursive: true, force: true });
  }
}

export function refused(problem: SandboxProblem, passing = false): ProbeOutcome {
  return { problem, passing, abilities: null, version: null };
}

/** bubblewrap had no room to start something, or what it has started could not do its part of the trial. */
function isPassing({ output }: Attempt): boolean {
  const lines = output.split('\n');
  const said = lines.find((line) => line.startsWith('bwrap: '));
  return said === undefined ? !lines.includes('can-write') : NO_ROOM.test(said);
}

const NO_ROOM =
  /Resource temporarily unavailable|Cannot allocate memory|Too many open files|No space left on device/;

type Attempt = { code: number | null; output: string };

async function attempt(options: ProbeOptions, abilities: Abilities, place: string): Promise<Attempt> {
  const work = join(place, 'work');
  const secret = join(place, 'secret');
  await mkdir(work, { recursive: true });
  await writeFile(secret, 'BAD hidden-file-read\n');
  const enclosed = enclose(
    { argv: ['/bin/sh', '-c', SCRIPT, process.execPath, SOCKET, place], cwd: work, env: { PATH } },
    {
      ...{ mode: 'workspace-write', network: false, unixSockets: false },
      ...{ roots: [work], write: [], hidden: [secret], readable: [] },
    },
    { tty: false, owner: null },
    { ...options, abilities, placeholders: new Placeholders(join(place, 'placeholders.json')) },
  );
  return runEnclosed(enclosed);
}

const PATH = '/usr/bin:/bin';
const SIGNALS_RESET = ['/usr/bin/env', '--default-signal=INT,QUIT,TSTP', 'true'] as const;

/** Every line that begins with BAD tells of something that must not have worked. */
const SCRIPT = [
  'echo x > "$2/work/file" && echo can-write',
  '(echo x > "$2/file") && echo BAD outside-written',
  'cat "$2/secret"',
  'mkdir -p "$2/work/.git/hooks" && echo BAD protected-written',
  '(: >> /proc/sys/kernel/core_pattern) && echo BAD kernel-setting-opened',
  'while read -r name value; do case $name in CapEff:|NoNewPrivs:|Seccomp:) echo $name$value;; esac; done < /proc/self/status',
  ...NAMESPACES.map((name) => `echo ns-${name}=$(readlink /proc/self/ns/${name})`),
  'exec "$0" -e "$1"',
].join('; ');

/** Opening a unix socket is refused by nothing but the filter: this shows that it holds on this architecture. */
const SOCKET = `require('node:net').createServer().on('error', (error) => console.log('socket ' + error.code))
  .listen('./socket', () => { console.log('BAD socket-opened'); process.exit(); })`;

function judge({ code, output }: Attempt): SandboxProblem | null {
  const lines = output.split('\n');
  const bad = lines.filter((line) => line.startsWith('BAD ')).map((line) => line.slice(4));
  const told = new Set(lines);
  if (!told.has('can-write')) return { kind: kindOf(output), detail: firstLine(output, code) };
  const filterHolds = told.has('socket EPERM') && told.has('Seccomp:2');
  const rest = bad.filter((name) => name !== 'socket-opened');
  const shared = NAMESPACES.filter((name) => !lines.some((line) => isOther(line, name)));
  const missing = ['CapEff:0000000000000000', 'NoNewPrivs:1'].filter((line) => !told.has(line));
  const faults = [
    ...rest,
    ...missing.map((line) => `not ${line}`),
    ...shared.map((name) => `shared ${name}`),
  ];
  if (faults.length) return { kind: 'not-enforcing', detail: faults.join(', ') };
  if (!filterHolds)
    return {
      kind: 'untested-architecture',
      detail: `on ${process.arch} a system call that is to be refused was not`,
    };
  return null;
}

function isOther(line: string, name: string): boolean {
  return (
    line.startsWith(`ns-${name}=${name}:[`) && line !== `ns-${name}=${readlinkSync(`/proc/self/ns/${name}`)}`
  );
}

/** By what the versions of bubblewrap and the kernels are known to say. */
function kindOf(output: string): SandboxProblem['kind'] {
  if (/setting up uid map: Permission denied|loopback: Failed RTM_NEW/.test(output)) return 'apparmor-userns';
  if (/namespaces exceeded|No space left on device/.test(output)) return 'userns-limit';
  if (/No permissions to creat\w+ (a )?new namespace|[Cc]reating new namespace failed/.test(output))
    return 'userns-denied';
  if (/Unknown option/.test(output)) return 'bwrap-too-old';
  return 'other';
}

function firstLine(output: string, code: number | null): string {
  return output.trim().split('\n')[0] || `bubblewrap said nothing and ended with ${code}`;
}

async function runEnclosed({ program, release }: PreparedProgram): Promise<Attempt> {
  const result = await run(program);
  const failure = await release({ exitCode: result.code, signal: null }, () => result.output);
  // what the check of the mounts has not let begin has printed nothing
  return failure?.code === 'grants.changed' ? { ...result, output: failure.message } : result;
}

/** `code`: null where it could not be started, or not be waited for. */
function run({ argv: [file, ...args], cwd, env, descriptors = [] }: Program): Promise<Attempt> {
  return new Promise((resolve) => {
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, ...descriptors];
    const child = spawn(file, args, { cwd, env, stdio, timeout: PROBE_MS, killSignal: 'SIGKILL' });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child
      .on('error', () => resolve({ code: null, output }))
      .once('close', (code) => resolve({ code, output }));
  });
}
