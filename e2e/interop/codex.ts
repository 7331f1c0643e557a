/** The real Codex CLI on the directories of a box, as its user runs it: `codex exec`, and the app-server of its apps. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Box } from '../support/server.ts';

type Fields = Record<string, unknown>;

export class Codex {
  readonly #program: string;

  constructor(private readonly box: Box) {
    const program = process.env.CODEX_BIN;
    if (!program) throw new Error('CODEX_BIN names no Codex: npm run test:interop gets one');
    this.#program = program;
  }

  /** The events of `codex exec` with these words. Rejects with what it has printed where it ends with a failure. */
  async exec(...words: string[]): Promise<Fields[]> {
    const args = ['exec', '--json', '--skip-git-repo-check', ...words];
    const running = promisify(execFile)(this.#program, args, this.#surroundings);
    running.child.stdin?.end(); // it would wait for more to read
    const { stdout } = await running;
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields);
  }

  /** As `exec`; the id of the thread. */
  async thread(...words: string[]): Promise<string> {
    const [started] = await this.exec(...words);
    return String(started?.thread_id);
  }

  /** What `calls` does with an app-server, which has ended by itself afterwards. */
  async withApp<T>(calls: (app: CodexApp) => Promise<T>): Promise<T> {
    const child = spawn(this.#program, ['app-server', '--stdio'], this.#surroundings);
    const ended = once(child, 'exit');
    try {
      const app = new CodexApp(child);
      await app.begin();
      return await calls(app);
    } finally {
      child.stdin.end();
      await ended;
    }
  }

  /** The files of a thread, oldest first. */
  async filesOf(thread: string): Promise<string[]> {
    const dir = join(this.box.codexHome, 'sessions');
    const names = await readdir(dir, { recursive: true });
    return names
      .filter((name) => name.endsWith('.jsonl') && name.includes(thread))
      .sort()
      .map((name) => join(dir, name));
  }

  get #surroundings() {
    const { dir, codexHome, workDir } = this.box;
    return { cwd: workDir, env: { PATH: process.env.PATH, HOME: dir, CODEX_HOME: codexHome } };
  }
}

export class CodexApp {
  readonly #waiting = new Map<number, (reply: Fields) => void>();
  readonly #turnEnds = new Set<(turnId: unknown) => void>();
  #count = 0;

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stderr.resume();
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  async begin(): Promise<void> {
    const clientInfo = { name: 'interop', title: null, version: '0.0.0' };
    await this.call('initialize', {
      clientInfo,
      capabilities: { experimentalApi: true, requestAttestation: false },
    });
    this.#send({ method: 'initialized' });
  }

  /** Rejects with the error that comes instead of a result. */
  async call(method: string, params: object): Promise<Fields> {
    const id = this.#count++;
    const replied = new Promise<Fields>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await replied;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Fields;
  }

  /** Asks for a thread; returns its id. */
  async thread(method: 'thread/start' | 'thread/fork' | 'thread/resume', params: object): Promise<string> {
    const { thread } = await this.call(method, params);
    return (thread as { id: string }).id;
  }

  /** A whole turn of a thread that this app has; returns its id. */
  async turn(threadId: string, text: string): Promise<string> {
    const ends = this.#turnEnd();
    const { turn } = await this.call('turn/start', { threadId, input: [{ type: 'text', text }] });
    await ends;
    return (turn as { id: string }).id;
  }

  async compact(threadId: string): Promise<void> {
    const ends = this.#turnEnd();
    await this.call('thread/compact/start', { threadId });
    await ends;
  }

  #turnEnd(): Promise<unknown> {
    return new Promise((resolve) => this.#turnEnds.add(resolve));
  }

  #send(message: object): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #take(message: Fields): void {
    if (message.method === 'turn/completed') {
      for (const end of this.#turnEnds) end(message.params);
      this.#turnEnds.clear();
    } else if (message.method === undefined && typeof message.id === 'number') {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }
}
