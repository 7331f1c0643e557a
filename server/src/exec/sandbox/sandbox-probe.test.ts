import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sandbox } from './sandbox.ts';

const BWRAP = '/usr/bin/bwrap';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tscodex-probe-test-'));
});

afterEach(() => rmSync(dir, { recursive: true }));

/** A program in the place of bubblewrap; it gets the arguments. */
function fake(script: string): string {
  const path = join(dir, 'bwrap');
  writeFileSync(path, `#!/bin/bash\n[ "$1" = --version ] && { echo bubblewrap 9.9; exit; }\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function open(bwrap: string): Promise<Sandbox> {
  return Sandbox.open({ bwrap, dir: join(dir, 'sandbox') });
}

/** Runs what follows the arguments of bubblewrap, with these left out. */
const RUN = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';

test('here commands are confined', async () => {
  vi.stubEnv('TMPDIR', dir);
  const sandbox = await open(BWRAP);
  expect(sandbox.problem).toBeNull();
  expect(sandbox.facts).toMatchObject({ version: expect.stringMatching(/^bubblewrap /), proc: true });
  expect(readdirSync(dir)).toEqual(['sandbox']);
  vi.unstubAllEnvs();
});

test.each([
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow it',
    'userns-denied',
  ],
  ['bwrap: No permissions to create a new namespace, likely because…', 'userns-denied'],
  [
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    'userns-limit',
  ],
  ['bwrap: setting up uid map: Permission denied', 'apparmor-userns'],
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor-userns'],
  ['bwrap: loopback: Failed RTM_NEWLINK: Operation not permitted', 'apparmor-userns'],
  ['bwrap: Unknown option --perms', 'bwrap-too-old'],
  ['bwrap: something that nobody has seen yet', 'other'],
])('%s', async (words, kind) => {
  const sandbox = await open(fake(`echo ${JSON.stringify(words)} >&2; exit 1`));
  expect(sandbox.problem).toEqual({ kind, detail: words });
  expect(sandbox.facts).toBeNull();
});

test('one that is missing, and one that says nothing', async () => {
  expect((await open(join(dir, 'missing'))).problem?.kind).toBe('bwrap-missing');
  expect((await open(fake('exit 3'))).problem).toEqual({
    kind: 'other',
    detail: 'bubblewrap said nothing and ended with 3',
  });
});

test('one that merely runs what it is given enforces nothing', async () => {
  const { problem } = await open(fake(RUN));
  expect(problem?.kind).toBe('not-enforcing');
  for (const fault of [
    'outside-written',
    'hidden-file-read',
    'protected-written',
    'shared pid',
    'not NoNewPrivs:1',
  ])
    expect(problem?.detail).toContain(fault);
});

test.each([
  ['--cap-drop', 1, process.getuid?.() === 0],
  ['--unshare-net', 0, true],
  ['--unshare-pid', 0, true],
])('one that leaves out %s does not enforce', async (name, values, matters) => {
  const script = `args=(); while [ $# -gt 0 ]; do
    if [ "$1" = ${name} ]; then shift ${1 + values}; else args+=("$1"); shift; fi
  done; exec ${BWRAP} "\${args[@]}"`;
  const { problem } = await open(fake(script));
  expect(problem?.kind ?? null).toBe(matters ? 'not-enforcing' : null);
});

test('one whose filter refuses nothing is not trusted: the numbers of the calls may be wrong there', async () => {
  const allowAll = '\\x06\\x00\\x00\\x00\\x00\\x00\\xff\\x7f';
  const { problem } = await open(fake(`exec 3< <(printf '${allowAll}'); exec ${BWRAP} "$@"`));
  expect(problem?.kind).toBe('untested-architecture');
});

test('without a /proc of its own, or the lock on namespaces, the rest is enforced still', async () => {
  const refuse = (option: string, words: string) =>
    `for a in "$@"; do [ "$a" = ${option} ] && { echo "bwrap: ${words}" >&2; exit 1; }; done; exec ${BWRAP} "$@"`;
  const proc = await open(fake(refuse('--proc', "Can't mount proc on /newroot/proc: Invalid argument")));
  expect([proc.problem, proc.facts?.proc]).toEqual([null, false]);
  const old = await open(fake(refuse('--disable-userns', 'Unknown option --disable-userns')));
  expect([old.problem, old.facts?.namespacesOff]).toEqual([null, false]);
  const unsized = await open(fake(refuse('--size', 'Unknown option --size')));
  expect(unsized.problem).toBeNull();
});

test('it is tried out where no command can write', async () => {
  const path = fake(`echo "$@" >> ${dir}/arguments; exec ${BWRAP} "$@"`);
  const shared = join(dir, 'shared');
  vi.stubEnv('TMPDIR', shared);
  expect((await open(path)).problem).toBeNull();
  vi.unstubAllEnvs();
  const words = readFileSync(join(dir, 'arguments'), 'utf8');
  expect(words).toContain(`${dir}/sandbox/probe-`);
  expect(words).not.toContain(shared);
});

test.each([
  ['fails once', true, 'bwrap: setting up uid map: Permission denied'],
  ['finds no room', false, 'bwrap: Creating new namespace failed: Resource temporarily unavailable'],
  ['gets nothing to write on', false, 'sh: 1: cannot create file: No space left on device'],
])('a trial that %s takes away nobody\u2019s confinement', async (_name, once, words) => {
  const path = fake(`exec ${BWRAP} "$@"`);
  const told: unknown[] = [];
  const changed = (problem: unknown) => told.push(problem);
  const sandbox = await Sandbox.open({ bwrap: path, dir: join(dir, 'sandbox'), changed });
  const failed = join(dir, 'failed');
  const then = once ? `[ -e ${failed} ] && exec ${BWRAP} "$@"` : '';
  fake(`${then}\ntouch ${failed}; echo ${JSON.stringify(words)} >&2; exit 1`);
  await sandbox.again();
  expect(existsSync(failed)).toBe(true);
  expect([sandbox.problem, sandbox.lost, told]).toEqual([null, false, [null]]);
});

test('a working directory that cannot be entered is that command\u2019s failure, and tried no further', async () => {
  const path = fake(`exec ${BWRAP} "$@"`);
  const sandbox = await Sandbox.open({ bwrap: path, dir: join(dir, 'sandbox') });
  const again = vi.spyOn(sandbox, 'again');
  const { release } = sandbox.prepare(
    { argv: ['true'], cwd: dir, env: {} },
    {
      ...{ mode: 'read-only', network: false, unixSockets: false },
      ...{ roots: [], write: [], hidden: [], readable: [] },
    },
    { tty: false, asOwnerOf: dir },
  );
  const output = () => `bwrap: Can't chdir to ${dir}: Permission denied`;
  expect(await release({ exitCode: 1, signal: null }, output)).toMatchObject({
    code: 'sandbox.cwd',
    message: `nothing was run: ${dir} cannot be entered: Permission denied`,
  });
  expect(again).not.toHaveBeenCalled();
});

test('what changes is told, and found out when a command could not be started', async () => {
  const path = fake(`exec ${BWRAP} "$@"`);
  const told: unknown[] = [];
  const changed = (problem: unknown) => told.push(problem);
  const sandbox = await Sandbox.open({ bwrap: path, dir: join(dir, 'sandbox'), changed });
  expect(told).toEqual([null]);
  await sandbox.again();
  expect(told).toEqual([null]);
  fake('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
  const { release } = sandbox.prepare(
    { argv: ['true'], cwd: dir, env: {} },
    {
      ...{ mode: 'read-only', network: false, unixSockets: false },
      ...{ roots: [], write: [], hidden: [], readable: [] },
    },
    { tty: false, asOwnerOf: dir },
  );
  const failure = await release({ exitCode: 1, signal: null }, () => 'bwrap: setting up uid map');
  expect(failure?.code).toBe('sandbox.start');
  expect(told).toEqual([
    null,
    { kind: 'apparmor-userns', detail: 'bwrap: setting up uid map: Permission denied' },
  ]);
  expect(sandbox.lost).toBe(true);
});
