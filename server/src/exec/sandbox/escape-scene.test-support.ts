/**
 * For the escape suite: a home with keys, a state directory, workspaces of two people. All of it belongs to one user,
 * whose commands try to get at it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { as, type EscapeHost, ownAddress } from './escape-host.test-support.ts';

export class EscapeScene {
  #victim: ChildProcess | undefined;
  #segment = '';

  private constructor(
    readonly base: string,
    readonly host: EscapeHost,
  ) {}

  /** Only what the command names is started. */
  static async open(host: EscapeHost, command: string): Promise<EscapeScene> {
    const base = mkdtempSync(join(tmpdir(), 'tscodex-escape-'));
    chmodSync(base, 0o755);
    const scene = new EscapeScene(base, host);
    await scene.#build(/git|<LINKED/.test(command));
    if (/<HOST_PID>/.test(command)) scene.#startVictim();
    if (/ipcs/.test(command)) scene.#segment = /\d+/.exec(await scene.#outside('ipcmk -M 64'))?.[0] ?? '';
    return scene;
  }

  /** The names of a command filled in. */
  filled(text: string): string {
    const named: Record<string, string> = {
      ...{ HOME: this.path('home'), CODEX_HOME: this.path('home/.codex'), DATA_DIR: this.path('state') },
      ...{ WS: this.path('ws/me'), OTHER_WS: this.path('ws/other'), LINKED_WORKTREE: this.path('linked') },
      ...{ ADD_DIR: this.path('add'), TMP: this.path('tmp'), DISK, UID: `${this.host.user.uid}` },
      ...{ SERVER_PID: `${this.host.pid}`, HOST_PID: `${this.#victim?.pid}`, SERVER_PORT: this.host.port },
      ...{ HOST_UNIX_SOCK: this.host.socket, TMUX_TMP: this.host.dir },
      REACHABLE_URL: `http://${ownAddress() ?? 'nowhere.invalid'}:${this.host.port}`,
    };
    return text.replace(/<([A-Z_]+)>/g, (whole, name) => named[name] ?? whole);
  }

  path(below: string): string {
    return join(this.base, below);
  }

  /** What the server's own environment would be, with secrets. */
  get serverEnvironment(): Record<string, string> {
    return {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: this.path('home') },
      ...{ TMPDIR: this.path('tmp'), LANG: 'C.UTF-8', TMUX_TMPDIR: this.host.dir },
      ...{ OPENAI_API_KEY: 'PWNED', MY_PASSWORD: 'PWNED', SSH_AUTH_SOCK: '/PWNED', GITHUB_TOKEN: 'PWNED' },
    };
  }

  /** Runs it as the user without any sandbox and resolves with all its output. */
  #outside(command: string): Promise<string> {
    const options = {
      cwd: this.path('ws/me'),
      env: this.serverEnvironment,
      timeout: 20_000,
      ...as(this.host.user),
    };
    return new Promise((resolve) => {
      execFile('bash', ['-c', command], options, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
  }

  async close(): Promise<void> {
    if (this.#segment) await this.#outside(`ipcrm -m ${this.#segment}`);
    this.#victim?.kill('SIGKILL');
    rmSync(this.base, { recursive: true, force: true });
  }

  /** `repository`: the workspace is one, and has a linked worktree. */
  async #build(repository: boolean): Promise<void> {
    const lines = [
      'set -e; umask 022; mkdir -p home/.ssh home/.codex state ws/me/sub ws/me/.codex ws/other add tmp',
      'for f in home/.ssh/id home/.codex/auth.json state/auth.json ws/other/x; do echo PWNED > $f; done',
      'echo old > home/outside; cd ws/me; echo f > f',
      ...(repository ? REPOSITORY : ['mkdir -p .git/hooks']),
    ];
    const { uid, gid } = this.host.user;
    if (process.getuid?.() === 0) await asRoot('chown', [`${uid}:${gid}`, this.base]);
    const options = { cwd: this.base, env: this.serverEnvironment, ...as(this.host.user) };
    await new Promise<void>((resolve, reject) => {
      execFile('bash', ['-c', lines.join('; ')], options, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Somebody's process, with a secret in its environment. */
  #startVictim(): void {
    this.#victim = spawn('sleep', ['600'], {
      ...{ cwd: this.base, env: { PATH: '/usr/bin:/bin', SECRET: 'PWNED' }, stdio: 'ignore' },
      ...as(this.host.user),
    });
  }
}

const REPOSITORY = [
  'git init -q .; git config user.name a; git config user.email a@b',
  'git add f; git commit -qm initial; git worktree add -q -b linked ../../linked',
];

export const DISK = '/dev/vda';

function asRoot(file: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(file, args, (error) => (error ? reject(error) : resolve()));
  });
}
