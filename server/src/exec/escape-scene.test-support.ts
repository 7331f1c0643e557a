/**
 * For the escape suite: a home with keys, a state directory, workspaces of two people, and a host with services and
 * processes that a command must not reach. All of it belongs to one user, whose commands try it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

export type User = { uid: number; gid: number };

export class EscapeScene {
  readonly #held: ChildProcess[] = [];
  #port = '';
  #server: ChildProcess | undefined;
  #victim: ChildProcess | undefined;
  #segment = '';

  private constructor(
    readonly base: string,
    readonly user: User,
  ) {}

  /** Only what the command names is started. */
  static async open(user: User, command: string): Promise<EscapeScene> {
    const base = mkdtempSync(join(tmpdir(), 'tscodex-escape-'));
    chmodSync(base, 0o755);
    const scene = new EscapeScene(base, user);
    await scene.#build(/git|<LINKED/.test(command));
    if (/<SERVER_|<HOST_UNIX_SOCK>|<REACHABLE_URL>/.test(command)) await scene.#startServer();
    if (/<HOST_PID>/.test(command)) scene.#victim = scene.#spawn(['sleep', '600'], { SECRET: 'PWNED' });
    if (/tmux/.test(command))
      await scene.outside(`tmux -f /dev/null -L esc${scene.#server?.pid} new-session -d sleep 600`);
    if (/ipcs/.test(command)) scene.#segment = /\d+/.exec(await scene.outside('ipcmk -M 64'))?.[0] ?? '';
    return scene;
  }

  /** The names of a command filled in. */
  filled(text: string): string {
    const named: Record<string, string> = {
      ...{ HOME: this.path('home'), CODEX_HOME: this.path('home/.codex'), DATA_DIR: this.path('state') },
      ...{ WS: this.path('ws/me'), OTHER_WS: this.path('ws/other'), LINKED_WORKTREE: this.path('linked') },
      ...{ ADD_DIR: this.path('add'), TMP: this.path('tmp'), DISK, UID: `${this.user.uid}` },
      ...{ SERVER_PID: `${this.#server?.pid}`, HOST_PID: `${this.#victim?.pid}`, SERVER_PORT: this.#port },
      ...{ HOST_UNIX_SOCK: this.path('tmp/host.sock') },
      REACHABLE_URL: `http://${ownAddress() ?? 'nowhere.invalid'}:${this.#port}`,
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
      ...{ TMPDIR: this.path('tmp'), LANG: 'C.UTF-8' },
      ...{ OPENAI_API_KEY: 'PWNED', MY_PASSWORD: 'PWNED', SSH_AUTH_SOCK: '/PWNED', GITHUB_TOKEN: 'PWNED' },
    };
  }

  /** Runs it as the user without any sandbox and resolves with all its output. */
  outside(command: string): Promise<string> {
    const options = { cwd: this.path('ws/me'), env: this.#environment(), timeout: 20_000, ...this.as };
    return new Promise((resolve) => {
      execFile('bash', ['-c', command], options, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
  }

  async close(): Promise<void> {
    if (this.#segment) await this.outside(`ipcrm -m ${this.#segment}`);
    await this.outside(`[ -d "$TMUX_TMPDIR/tmux-$UID" ] && tmux -L esc${this.#server?.pid} kill-server`);
    for (const child of this.#held) child.kill('SIGKILL');
    rmSync(this.base, { recursive: true, force: true });
  }

  #environment(): Record<string, string> {
    return { ...this.serverEnvironment, TMUX_TMPDIR: this.path('tmp') };
  }

  /** What `spawn` takes to run something as the user. */
  get as(): Partial<User> {
    return process.getuid?.() === this.user.uid ? {} : this.user;
  }

  /** `repository`: the workspace is one, and has a linked worktree. */
  async #build(repository: boolean): Promise<void> {
    const lines = [
      'set -e; umask 022; mkdir -p home/.ssh home/.codex state ws/me/sub ws/me/.codex ws/other add tmp',
      'for f in home/.ssh/id home/.codex/auth.json state/auth.json ws/other/x; do echo PWNED > $f; done',
      'echo old > home/outside; cd ws/me; echo f > f',
      ...(repository ? REPOSITORY : ['mkdir -p .git/hooks']),
    ];
    if (process.getuid?.() === 0) await asRoot('chown', [`${this.user.uid}:${this.user.gid}`, this.base]);
    const options = { cwd: this.base, env: this.#environment(), ...this.as };
    await new Promise<void>((resolve, reject) => {
      execFile('bash', ['-c', lines.join('; ')], options, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Says PWNED to whoever connects: by TCP on the loopback and the machine's own address, by unix sockets. */
  async #startServer(): Promise<void> {
    const file = this.path('server.py');
    writeFileSync(file, SERVER);
    const args = ['/usr/bin/python3', file, this.path('tmp/host.sock'), ownAddress() ?? ''];
    this.#server = this.#spawn(args, { SECRET: 'PWNED' });
    const [line] = await once(this.#server.stdout as NodeJS.ReadableStream, 'data');
    this.#port = String(line).trim();
  }

  #spawn([file, ...args]: string[], more: Record<string, string>): ChildProcess {
    const child = spawn(file as string, args, {
      ...{ cwd: this.base, env: { ...this.#environment(), ...more }, ...this.as },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#held.push(child);
    return child;
  }
}

const REPOSITORY = [
  'git init -q .; git config user.name a; git config user.email a@b',
  'git add f; git commit -qm initial; git worktree add -q -b linked ../../linked',
];

export const DISK = '/dev/vda';

/** An address of this machine that is not the loopback's: what stands for the outside. */
export function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}

function asRoot(file: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(file, args, (error) => (error ? reject(error) : resolve()));
  });
}

const SERVER = `
import os, socket, sys, threading
ANSWER = b'HTTP/1.0 200 OK\\r\\n\\r\\nPWNED\\n'
def serve(family, address):
    s = socket.socket(family)
    s.bind(address)
    s.listen(16)
    def loop():
        while True:
            c, _ = s.accept()
            c.sendall(ANSWER)
            c.shutdown(socket.SHUT_WR)
            try: c.settimeout(1); c.recv(4096)
            except OSError: pass
            c.close()
    threading.Thread(target=loop).start()
    return s
port = serve(socket.AF_INET, ('127.0.0.1', 0)).getsockname()[1]
if sys.argv[2]: serve(socket.AF_INET, (sys.argv[2], port))
serve(socket.AF_UNIX, sys.argv[1])
serve(socket.AF_UNIX, '\\0esc%d' % os.getpid())
print(port, flush=True)
`;
