/**
 * What commands have tried, or might, to get out of the sandbox: each attempt inside of it, and a control that shows
 * that the same attempt succeeds without the protection in question. As root all of it runs twice: as root, and as a
 * user whose directory it is.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Exit, Program } from '../channel.ts';
import { commandEnvironment } from '../environment.ts';
import { spawnInTerminal } from '../terminal-channel.ts';
import { PROC_OF_THE_MACHINE } from './bubblewrap.ts';
import { enclose } from './confined-program.ts';
import type { Confinement } from './confinement.ts';
import { as, EscapeHost, ownAddress, type User } from './escape-host.test-support.ts';
import { DISK, EscapeScene } from './escape-scene.test-support.ts';
import { Placeholders } from './placeholders.ts';
import type { PreparedProgram } from './prepared-program.ts';
import { Sandbox } from './sandbox.ts';
import { seccompFilter } from './seccomp.ts';
import { secretPlaces } from './secret-places.ts';

type Attempt = {
  id: string;
  title: string;
  mode: Confinement['mode'];
  network: boolean;
  options: {
    roots?: string[];
    extraWrite?: string[];
    cwd?: string;
    tty?: true;
    /** Without a /proc of its own, the filter, the kernel's lock on namespaces, or the filter and the masks. */
    mountProc?: false;
    noSeccomp?: true;
    disableUserns?: false;
    raw?: true;
  };
  command: string;
  /** `residual`: it is known to succeed, and written down. */
  expect: 'deny' | 'allow' | 'residual' | 'control';
  success_marker: string;
  control?: Control | { root: Control; user: Control; needs?: keyof typeof MACHINE };
};

/**
 * `plain`: as the user, without a sandbox. `descriptor`: that, with a file of ours open. `without: …`: in the sandbox
 * without these arguments, or with nothing hidden. `capable: …`: that, with all capabilities. `none: reason`.
 */
type Control = string;

const ATTEMPTS: Attempt[] = JSON.parse(
  readFileSync(new URL('fixtures/escape-attempts.json', import.meta.url), 'utf8'),
);

/** What a control needs of the machine: why there is none where it lacks it, else null. */
const MACHINE = {
  disk: () => (readable(DISK) ? null : `${DISK} cannot be read here anyway`),
  ptrace: () => lacks('/proc/sys/kernel/yama/ptrace_scope', /^0/, 'its programs may not be traced anyway'),
  io_uring: () => lacks('/proc/sys/kernel/io_uring_disabled', /^0/, 'its kernel offers no io_uring'),
  tiocsti: () => lacks('/proc/sys/dev/tty/legacy_tiocsti', /^1/, 'its kernel offers no TIOCSTI'),
  vsock: () => (existsSync('/dev/vsock') ? null : 'its kernel offers no vsock'),
  x32: () => 'hardly any kernel still has this second table of system calls',
};

const ROOT = { uid: 0, gid: 0 };
/** Without an account; by no other program's doing does anything belong to it. */
const SOMEBODY = { uid: 51_234, gid: 51_234 };
const isRoot = process.getuid?.() === 0;
const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

let dir: string;
let sandbox: Sandbox;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tscodex-escapes-'));
  sandbox = await Sandbox.open({ bwrap: '/usr/bin/bwrap', dir });
  if (sandbox.problem) throw new Error(`nothing can be tried: ${JSON.stringify(sandbox.problem)}`);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe.each(isRoot ? [ROOT, SOMEBODY] : [self])('as user $uid', (user) => {
  let host: EscapeHost;

  beforeAll(async () => {
    host = await EscapeHost.open(user);
  });

  afterAll(() => host.close());

  describe.concurrent.each(ATTEMPTS)('$id $title', (attempt) => {
    const succeeds = attempt.expect !== 'deny';
    const { reason, control } = controlOf(attempt, user);

    test.skipIf(attempt.command.includes('<REACHABLE_URL>') && !ownAddress())(
      succeeds ? 'works' : 'is kept in',
      async ({ expect }) => {
        const output = await inScene(attempt, host, (scene) => inside(attempt, scene));
        if (succeeds) expect(output).toContain(attempt.success_marker);
        else expect(output).not.toContain(attempt.success_marker);
      },
    );

    if (succeeds) return;
    test.skipIf(reason)(`and works without${reason ? `: ${reason}` : ''}`, async ({ expect }) => {
      const output = await inScene(attempt, host, (scene) => underControl(attempt, control, scene));
      expect(output).toContain(attempt.success_marker);
    });
  });
});

function readable(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch {
    return false;
  }
}

function lacks(file: string, wanted: RegExp, reason: string): string | null {
  if (!existsSync(file)) return file.includes('yama') ? null : reason;
  return wanted.test(readFileSync(file, 'utf8')) ? null : reason;
}

function controlOf({ id, control = 'none: nobody said how' }: Attempt, user: User) {
  const { needs, ...kinds } = typeof control === 'string' ? { root: control, user: control } : control;
  const chosen = user.uid === 0 ? kinds.root : kinds.user;
  const reason = /^none: (.*)/.exec(chosen)?.[1] ?? (needs ? MACHINE[needs]() : null);
  if (reason) console.warn(`${id} as user ${user.uid}: no control, ${reason}`);
  return { control: chosen, reason };
}

async function inScene(
  { command }: Attempt,
  host: EscapeHost,
  act: (scene: EscapeScene) => Promise<string>,
): Promise<string> {
  const scene = await EscapeScene.open(host, command);
  try {
    return await act(scene);
  } finally {
    await scene.close();
  }
}

function inside({ options, ...attempt }: Attempt, scene: EscapeScene): Promise<string> {
  const program = programOf({ options, ...attempt }, scene, commandEnvironment(scene.serverEnvironment));
  const confinement = confinementOf({ options, ...attempt }, scene);
  const { mountProc, noSeccomp, disableUserns, raw, tty = false } = options;
  const usual = mountProc ?? disableUserns ?? !(noSeccomp || raw);
  const prepare = () =>
    usual
      ? sandbox.prepare(program, confinement, { tty, asOwnerOf: scene.path('ws/me') })
      : special(program, confinement, scene, {
          proc: mountProc ?? true,
          without: [
            ...(noSeccomp || raw ? ['--seccomp'] : []),
            ...(disableUserns === false ? ['--disable-userns'] : []),
            ...(raw ? ['sockets'] : []),
          ],
        });
  return finish(prepare, tty);
}

async function underControl(attempt: Attempt, control: Control, scene: EscapeScene): Promise<string> {
  const tty = attempt.options.tty ?? false;
  const program = programOf(attempt, scene, scene.serverEnvironment);
  if (control === 'descriptor') return withDescriptor(program, scene);
  if (control === 'plain')
    return finish(() => sandbox.prepare(program, null, { tty, asOwnerOf: scene.path('ws/me') }), tty);
  const [kind, words = ''] = control.split(': ');
  const without = words.replace('without ', '').split(' ');
  const confinement = confinementOf(attempt, scene);
  const shown = without.includes('hidden') ? { ...confinement, hidden: [] } : confinement;
  const capable = kind === 'capable';
  return finish(() => special(program, shown, scene, { proc: true, without, capable }), tty);
}

/** In the sandbox with something of it left out. */
function special(
  program: Program,
  confinement: Confinement,
  scene: EscapeScene,
  how: { proc: boolean; without: string[]; capable?: boolean },
): PreparedProgram {
  const { uid, gid } = scene.host.user;
  const owner = isRoot && uid !== 0 ? { uid, gid, groups: [gid], name: null, home: '/' } : null;
  const prepared = enclose(
    program,
    confinement,
    { tty: false, owner },
    {
      ...{ bwrap: '/usr/bin/bwrap', dir, placeholders: new Placeholders(scene.path('placeholders.json')) },
      pipes: sandbox.pipes,
      filters: {
        noUnixSockets: seccompFilter({ unixSockets: false }) as Buffer,
        unixSockets: seccompFilter({ unixSockets: true }) as Buffer,
      },
      abilities: {
        proc: how.proc ? PROC_OF_THE_MACHINE.filter((path) => existsSync(path)) : null,
        ...{ namespacesOff: true, sizes: true, defaultSignals: true },
      },
    },
  );
  const argv = how.without.reduce(leaveOut, [...prepared.program.argv]);
  const capabilities = argv.indexOf('--cap-drop');
  if (how.capable) argv[capabilities] = '--cap-add';
  return { ...prepared, program: { ...prepared.program, argv: argv as [string, ...string[]] } };
}

const VALUES: Record<string, number> = { '--seccomp': 1, '--cap-drop': 1, '--disable-userns': 0 };

function leaveOut(argv: string[], name: string): string[] {
  if (name === 'hidden') return argv;
  if (name === 'sockets')
    return argv.filter((_, i) => ![0, 1, 2].some((back) => isSocketMask(argv.slice(i - back, i - back + 3))));
  return argv.toSpliced(argv.indexOf(name), 1 + (VALUES[name] ?? 0));
}

function isSocketMask([flag, source, path = '']: string[]): boolean {
  return flag === '--ro-bind' && source === '/dev/null' && !path.includes('auth');
}

function programOf({ command, options }: Attempt, scene: EscapeScene, env: Record<string, string>): Program {
  return {
    argv: ['bash', '-c', scene.filled(command)],
    cwd: scene.filled(options.cwd ?? '<WS>'),
    env: { ...env, TMUX_TMPDIR: scene.host.dir },
  };
}

function confinementOf({ mode, network, options }: Attempt, scene: EscapeScene): Confinement {
  const filled = (paths: string[] = []) => paths.map((path) => scene.filled(path));
  return {
    ...{ mode, network, unixSockets: false },
    roots: filled(['<TMP>', options.cwd ?? '<WS>', ...(options.roots ?? [])]),
    write: filled(options.extraWrite),
    hidden: [...filled(['<DATA_DIR>', '<CODEX_HOME>', '<OTHER_WS>']), ...secretPlaces(scene.path('home'))],
    readable: [],
  };
}

/** Again where it was not even started, as `RunningProcess` does: the sockets of other tests come and go. */
async function finish(prepare: () => PreparedProgram, tty: boolean, more = 2): Promise<string> {
  const { program, release } = prepare();
  const { output, exit } = await (tty ? runInTerminal(program) : run(program));
  const failure = await release(exit, () => output);
  if (failure && more > 0) return finish(prepare, tty, more - 1);
  if (failure) throw failure;
  return output;
}

type Result = { output: string; exit: Exit };

function run({ argv: [file, ...args], cwd, env, descriptors = [] }: Program): Promise<Result> {
  return new Promise((resolve) => {
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, ...descriptors];
    const child = spawn(file, args, { cwd, env, stdio, timeout: 20_000, killSignal: 'SIGKILL' });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.once('close', (exitCode) => resolve({ output, exit: { exitCode, signal: null } }));
  });
}

function runInTerminal(program: Program): Promise<Result> {
  return new Promise((resolve) => {
    let output = '';
    spawnInTerminal(program, {
      data: (chunk) => {
        output += chunk;
      },
      exit: (exit) => resolve({ output, exit }),
    });
  });
}

function withDescriptor({ argv: [file, ...args], cwd, env }: Program, scene: EscapeScene): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      cwd,
      env,
      ...as(scene.host.user),
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.once('close', () => resolve(output));
  });
}
