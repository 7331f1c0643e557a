/** For tests: `tscodex app-server` in this process, over pipes, with a scripted model, and a client of it. */
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parsedLine, readLines } from '../../base/lines.ts';
import { modelFacts } from '../../model/catalog.ts';
import { type ScriptedAnswer, ScriptedModel } from '../../model/scripted-model.ts';
import { runAppServer } from './run-app-server.ts';

export type Fields = Record<string, unknown>;
export type Sent = { method: string; params: Fields; id?: number };

const CONFIG = `model = "scripted-1"
model_provider = "gateway"
[model_providers.gateway]
base_url = "http://127.0.0.1:9/v1"
`;

/** A CODEX_HOME and a working directory; gone after `remove`. */
export async function openPlace() {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-app-server-')));
  const [codexHome, work] = [join(dir, 'codex'), join(dir, 'work')];
  await Promise.all([mkdir(codexHome), mkdir(work)]);
  await writeFile(join(codexHome, 'config.toml'), CONFIG);
  const clients: AppClient[] = [];
  return {
    ...{ dir, codexHome, work },
    /** Started and greeted. */
    async client(...answers: ScriptedAnswer[]): Promise<AppClient> {
      const client = new AppClient({ codexHome, work, dir }, answers);
      clients.push(client);
      await client.call('initialize', { clientInfo: { name: 'test', title: null, version: '0' } });
      client.tell('initialized');
      return client;
    },
    raw(): AppClient {
      const client = new AppClient({ codexHome, work, dir }, []);
      clients.push(client);
      return client;
    },
    /** Files below `sessions`. */
    async conversations(): Promise<string[]> {
      const names = await readdir(join(codexHome, 'sessions'), { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith('.jsonl'));
    },
    async remove(): Promise<void> {
      for (const client of clients) await client.end();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export class AppClient {
  readonly model: ScriptedModel;
  /** All that has come but answers. */
  readonly told: Sent[] = [];
  /** Lines that answer nothing that was asked here. */
  readonly stray: Fields[] = [];
  readonly notes: string[] = [];
  /** What requests are answered with, by method; those without an answer wait. */
  readonly answers = new Map<string, (params: Fields) => object>();
  readonly ended: Promise<number>;
  readonly #in = new PassThrough();
  readonly #stop = new AbortController();
  /** Results by the method that was called. */
  readonly results: [string, unknown][] = [];
  readonly #waiting = new Map<number, (reply: Fields) => void>();
  readonly #looks = new Set<() => void>();
  #count = 0;

  constructor(place: { codexHome: string; work: string; dir: string }, answers: ScriptedAnswer[]) {
    this.model = new ScriptedModel(...answers);
    const out = new PassThrough();
    readLines(out, (line) => this.#take(parsedLine(line) as Fields));
    const { PATH } = process.env;
    this.ended = runAppServer(
      ['--stdio'],
      {
        env: { PATH, HOME: place.dir, CODEX_HOME: place.codexHome },
        cwd: () => place.work,
        ...{ stdin: this.#in, stdout: out, stopped: this.#stop.signal },
        stderr: { write: (text) => this.notes.push(text) },
      },
      () => ({
        mended: async () => null,
        client: () => this.model,
        facts: (name) => modelFacts(name, {}, { contextWindow: 100_000 }),
      }),
    );
  }

  /** Rejects with the error that comes instead of a result. */
  async call(method: string, params: object = {}): Promise<Fields> {
    const { result, error } = await this.ask(method, params);
    if (!error) this.results.push([method, result]);
    if (error) throw Object.assign(new Error((error as Error).message), error);
    return result as Fields;
  }

  /** The whole answer. */
  ask(method: string, params: object = {}): Promise<Fields> {
    const id = this.#count++;
    const answered = new Promise<Fields>((resolve) => this.#waiting.set(id, resolve));
    this.write(`${JSON.stringify({ id, method, params })}\n`);
    return answered;
  }

  tell(method: string): void {
    this.write(`${JSON.stringify({ method })}\n`);
  }

  answer(request: Sent | undefined, result: object): void {
    this.write(`${JSON.stringify({ id: request?.id, result })}\n`);
  }

  write(text: string): void {
    this.#in.write(text);
  }

  async thread(params: object = {}): Promise<string> {
    const { thread } = await this.call('thread/start', { sandbox: 'danger-full-access', ...params });
    return (thread as { id: string }).id;
  }

  async say(threadId: string, text: string, more: object = {}): Promise<string> {
    const { turn } = await this.call('turn/start', { threadId, input: [{ type: 'text', text }], ...more });
    return (turn as { id: string }).id;
  }

  /** A whole turn; its end. */
  async turn(threadId: string, text: string, more: object = {}): Promise<Fields> {
    return this.endOf(await this.say(threadId, text, more));
  }

  async endOf(turnId: string): Promise<Fields> {
    const end = await this.until(
      ({ method, params }) => method === 'turn/completed' && (params.turn as Fields).id === turnId,
    );
    return end.params.turn as Fields;
  }

  /** The first that came, or comes, for which `found` holds. */
  async until(found: (sent: Sent) => boolean): Promise<Sent> {
    for (;;) {
      const sent = this.told.find(found);
      if (sent) return sent;
      await new Promise<void>((resolve) => this.#looks.add(resolve));
    }
  }

  /** A line that answers nothing. */
  async astray(): Promise<Fields> {
    for (;;) {
      const line = this.stray.shift();
      if (line) return line;
      await new Promise<void>((resolve) => this.#looks.add(resolve));
    }
  }

  of(method: string): Fields[] {
    return this.told.filter((sent) => sent.method === method).map(({ params }) => params);
  }

  /** The turn in which a message stands, by its `clientUserMessageId`. */
  tookIn(clientId: string): unknown {
    return this.of('item/completed').find(({ item }) => (item as Fields).clientId === clientId)?.turnId;
  }

  /** The end of stdin; the exit code. */
  end(): Promise<number> {
    this.#in.end();
    return this.ended;
  }

  stop(): Promise<number> {
    this.#stop.abort();
    return this.ended;
  }

  #take(line: Fields): void {
    const { id, method } = line;
    if (typeof method === 'string') this.#heard(line as unknown as Sent);
    else if (typeof id === 'number' && this.#waiting.has(id)) {
      this.#waiting.get(id)?.(line);
      this.#waiting.delete(id);
    } else this.stray.push(line);
    const looks = [...this.#looks];
    this.#looks.clear();
    for (const look of looks) look();
  }

  #heard(sent: Sent): void {
    this.told.push(sent);
    const answer = sent.id === undefined ? undefined : this.answers.get(sent.method);
    if (answer) this.answer(sent, answer(sent.params));
  }
}
