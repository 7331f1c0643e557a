/** For the escape suite: the services of the host that commands must not reach, by whoever is to try it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

export type User = { uid: number; gid: number };

/** What `spawn` takes to run something as the user. */
export function as(user: User): Partial<User> {
  return process.getuid?.() === user.uid ? {} : user;
}

export class EscapeHost {
  /** Says PWNED to whoever connects: by TCP on the loopback and the machine's own address, by unix sockets. */
  readonly #server: ChildProcess;

  private constructor(
    /** Where its sockets lie, tmux's as well. */
    readonly dir: string,
    readonly user: User,
  ) {
    writeFileSync(join(dir, 'server.py'), SERVER);
    this.#server = spawn('/usr/bin/python3', [join(dir, 'server.py'), this.socket, ownAddress() ?? ''], {
      ...{ env: { SECRET: 'PWNED' }, stdio: ['ignore', 'pipe', 'inherit'], ...as(user) },
    });
  }

  static async open(user: User): Promise<EscapeHost> {
    const dir = mkdtempSync(join(tmpdir(), 'tscodex-host-'));
    chmodSync(dir, 0o755);
    if (process.getuid?.() === 0) chownSync(dir, user.uid, user.gid);
    const host = new EscapeHost(dir, user);
    const [line] = await once(host.#server.stdout as NodeJS.ReadableStream, 'data');
    host.port = String(line).trim();
    await host.#tmux('new-session', '-d', 'sleep', '600');
    return host;
  }

  port = '';

  get pid(): number | undefined {
    return this.#server.pid;
  }

  get socket(): string {
    return join(this.dir, 'host.sock');
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server');
    this.#server.kill('SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }

  #tmux(...args: string[]): Promise<void> {
    const env = { PATH: '/usr/bin:/bin', TMUX_TMPDIR: this.dir };
    return new Promise((resolve) => {
      const name = ['-f', '/dev/null', '-L', `esc${this.pid}`];
      execFile('tmux', [...name, ...args], { env, cwd: this.dir, ...as(this.user) }, () => resolve());
    });
  }
}

/** An address of this machine that is not the loopback's: what stands for the outside. */
export function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
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
