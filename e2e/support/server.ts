/** Runs the built server as its user would, on directories of its own, and speaks its API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionSnapshot, WorkspaceSummary } from '@tscodex/shared/workspace';
import { Fronts } from './fronts.ts';

export const serverBin = createRequire(import.meta.url).resolve('tscodex/dist/tscodex-ws.js');

/** Directories that outlive one run of the server: what a restart finds again. */
export class Box {
  readonly codexHome: string;
  readonly workDir: string;
  readonly configPath: string;
  /** What the servers on this box sit behind. */
  readonly fronts = new Fronts();

  private constructor(readonly dir: string) {
    this.codexHome = join(dir, 'codex');
    this.workDir = join(dir, 'work');
    this.configPath = join(dir, 'workspaces.json');
  }

  /**
   * `modelUrl`: a provider of the Responses API; without one nothing is configured. Unless it is to be `confined`,
   * the box is a machine that cannot confine commands.
   */
  static async make(
    options: { modelUrl?: string; toml?: string; confined?: boolean; workspaces?: unknown } = {},
  ): Promise<Box> {
    const box = new Box(await realpath(await mkdtemp(join(tmpdir(), 'tscodex-e2e-'))));
    await Promise.all([mkdir(box.codexHome), mkdir(box.workDir)]);
    const provider = options.modelUrl
      ? `model = "scripted"\nmodel_provider = "fake"\n${options.toml ?? ''}\n[model_providers.fake]\nname = "fake"\nbase_url = "${options.modelUrl}"\nstream_max_retries = 2\n`
      : (options.toml ?? '');
    const bwrap = join(box.dir, 'no-bwrap');
    const sandbox = options.confined ? '' : `\n[tscodex]\nbwrap = ${JSON.stringify(bwrap)}\n`;
    await writeFile(join(box.codexHome, 'config.toml'), provider + sandbox);
    const workspaces = options.workspaces ?? [{ id: 'demo', work_dir: box.workDir }];
    await writeFile(box.configPath, JSON.stringify({ workspaces }));
    return box;
  }

  /** `command`: another installation than the one that was built here. */
  start(
    args: string[] = [],
    env: Record<string, string> = {},
    command?: readonly [string, ...string[]],
  ): Promise<RunningServer> {
    return RunningServer.start(this, args, env, command);
  }

  async remove(): Promise<void> {
    await this.fronts.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}

export class RunningServer {
  stdout = '';
  stderr = '';
  /** With the token in its fragment. */
  loginUrl = '';

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  static async start(
    box: Box,
    args: string[],
    env: Record<string, string>,
    [program, ...words]: readonly [string, ...string[]] = [process.execPath, serverBin],
  ): Promise<RunningServer> {
    const child = spawn(
      program,
      [...words, '--listen', '127.0.0.1:0', '--workspace-config', box.configPath, ...box.fronts.flags(args)],
      {
        cwd: box.dir,
        env: { PATH: process.env.PATH, HOME: box.dir, CODEX_HOME: box.codexHome, SHELL: '/bin/bash', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const server = new RunningServer(child);
    const printed = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', () => {
        const found = /^Open (http:\/\/\S+)\s/m.exec(server.stdout)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', (code) =>
        reject(new Error(`the server ended with ${code}: ${server.stdout}${server.stderr}`)),
      );
    });
    server.loginUrl = await box.fronts.lead(printed);
    return server;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Ends with a slash. */
  get url(): string {
    return this.loginUrl.replace(/login.*$/, '');
  }

  get token(): string {
    return /#token=(\S+)$/.exec(this.loginUrl)?.[1] ?? '';
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    this.child.kill(signal);
    return ended;
  }

  async request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** The parsed answer; throws for any that is no success. */
  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.request(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  async newSession(workspace = 'demo', options: object = {}): Promise<string> {
    const path = `api/workspaces/${workspace}/sessions`;
    const { session } = await this.api<{ session: SessionState }>('POST', path, options);
    return session.id;
  }

  async send(session: string, text: string, mode: 'steer' | 'queue' = 'steer', id = randomUUID()) {
    return this.api<{ inputId: string; duplicate: boolean }>('POST', `api/sessions/${session}/inputs`, {
      ...{ id, text, mode },
    });
  }

  async state(session: string): Promise<SessionState> {
    return (await this.api<SessionSnapshot>('GET', `api/sessions/${session}`)).state;
  }

  async workspaces(): Promise<WorkspaceSummary[]> {
    return (await this.api<{ workspaces: WorkspaceSummary[] }>('GET', 'api/workspaces')).workspaces;
  }

  /** The first state for which `found` holds; asks a few times a second, gives up after 20 s. */
  async until(session: string, found: (state: SessionState) => boolean): Promise<SessionState> {
    for (const deadline = Date.now() + 20_000; ; ) {
      const state = await this.state(session);
      if (found(state)) return state;
      if (Date.now() > deadline)
        throw new Error(`never came: ${JSON.stringify(state, null, 1).slice(0, 4000)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** No turn runs or waits; commands may go on in the background. */
  idle(session: string): Promise<SessionState> {
    const rests = ({ status }: SessionState) => status === 'idle' || status === 'sleeping';
    return this.until(session, (s) => rests(s) && s.turn === null && s.waiting.length === 0);
  }
}
