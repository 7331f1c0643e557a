/** nginx and Caddy as a team runs them: the real programs, in front of our server, with what `deploy/` says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path that the examples under `deploy/` serve. */
export const PREFIX = '/a/b';

const repository = join(import.meta.dirname, '../..');

/** Where `scripts/system-programs.mjs` puts them on a machine that has none. */
const unpacked = join(repository, 'node_modules/.cache/system-programs');

export type Program = 'nginx' | 'caddy';

const programs = {
  nginx: {
    paths: ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx', join(unpacked, 'usr/sbin/nginx')],
    install: 'sudo apt-get install -y nginx-light',
    example: 'deploy/nginx.conf',
    arguments: (dir: string) => ['-e', join(dir, 'error.log'), '-c', join(dir, 'configuration')],
    configuration: nginxConfiguration,
    /** The paths asked for, out of a line of its log. */
    asked: (line: string) => line,
  },
  caddy: {
    paths: ['/usr/bin/caddy', '/opt/homebrew/bin/caddy', join(unpacked, 'usr/bin/caddy')],
    install: 'sudo apt-get install -y caddy',
    example: 'deploy/Caddyfile',
    arguments: (dir: string) => ['run', '--adapter', 'caddyfile', '--config', join(dir, 'configuration')],
    configuration: caddyConfiguration,
    asked: (line: string) => (JSON.parse(line) as { request: { uri: string } }).request.uri,
  },
} as const;

export class WebServer {
  private constructor(
    private readonly program: Program,
    private readonly dir: string,
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** Serves what listens on `upstream` below `/a/b/`. `change` spoils the example. */
  static async start(
    program: Program,
    upstream: number,
    change: (example: string) => string = (example) => example,
  ): Promise<WebServer> {
    const { paths, install, example } = programs[program];
    const path = paths.find((known) => existsSync(known));
    if (path === undefined) throw new Error(`${program} is not installed here; run: ${install}`);
    const text = change(await readFile(join(repository, example), 'utf8')).replaceAll(
      '127.0.0.1:6007',
      `127.0.0.1:${upstream}`,
    );
    const dir = await mkdtemp(join(tmpdir(), `tscodex-${program}-`));
    // another process may take the port before it does
    for (let tries = 0; ; tries++) {
      const port = await freePort();
      await writeFile(join(dir, 'configuration'), programs[program].configuration(text, { port, dir }));
      const child = spawn(path, programs[program].arguments(dir), {
        env: { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const failure = await started(child, port, join(dir, 'access.log'));
      if (failure === null) return new WebServer(program, dir, child, port);
      const said = failure + (await readFile(join(dir, 'error.log'), 'utf8').catch(() => ''));
      if (tries === 5 || !/address already in use/i.test(said)) throw new Error(`${program}: ${said}`);
    }
  }

  /** Ends without a slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${PREFIX}`;
  }

  /** Ends it; returns the path and query of every request it was sent. */
  async stop(): Promise<string[]> {
    const { child, dir } = this;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    const log = await readFile(join(dir, 'access.log'), 'utf8').catch(() => '');
    await rm(dir, { recursive: true, force: true });
    return log.split('\n').filter(Boolean).map(programs[this.program].asked);
  }
}

/** null once it answers requests; what it said when it ended instead. */
async function started(child: ChildProcess, port: number, log: string): Promise<string | null> {
  let said = '';
  let ended = false;
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  child.once('exit', () => {
    ended = true;
  });
  while (!ended) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    // another process may have the port and answer: only ours writes here
    if (answer && (await readFile(log, 'utf8').catch(() => ''))) return null;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return said;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Place = { port: number; dir: string };

function nginxConfiguration(example: string, { port, dir }: Place): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
master_process off;
pid ${dir}/pid;
events {}
http {
  log_format asked '$request_uri';
  access_log ${dir}/access.log asked;
  ${temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
${example}
  }
}
`;
}

/** Without certificates, which loopback gets from nobody. */
function caddyConfiguration(example: string, { port, dir }: Place): string {
  const log = `\tlog {\n\t\toutput file ${dir}/access.log\n\t\tformat json\n\t}\n`;
  const site = example.replace(/^box\.example \{\n/m, `http://127.0.0.1:${port} {\n${log}`);
  return `{\n\tadmin off\n\tauto_https off\n}\n${site}`;
}
