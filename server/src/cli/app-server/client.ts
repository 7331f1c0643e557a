/**
 * One client of the app-server: what it may call, in which order, and what it is answered. Every method that is served
 * has its line in `METHODS`; docs/app-server.md lists them.
 */
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { Failure, messageOf } from '../../base/errors.ts';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  JsonRpc,
  type RpcRefusal,
  type RpcRequest,
} from '../../base/json-rpc.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { Answer } from './answer.ts';
import { configOf } from './config-read.ts';
import { listModels } from './model-list.ts';
import { listSkills, skillsParams } from './skills-list.ts';
import { listParams } from './thread-list.ts';
import * as params from './thread-params.ts';
import { Threads } from './threads.ts';

/** The protocol that is spoken here: clients read it from the user agent. */
const PROTOCOL = '0.171.0';

/** `reply` answers before the method has come to its end; what it returns then is not sent. */
type Call = { threads: Threads; agents: AgentProcess; cwd: string; reply(result: object): void };
type Method = (given: unknown, call: Call) => Promise<Answer | undefined> | Answer;

function method<Params>(
  schema: z.ZodType<Params>,
  run: (given: Params, call: Call) => Promise<Answer | undefined> | Answer,
): Method {
  return (given, call) => run(schema.parse(given ?? {}), call);
}

const nothing = z.unknown();

const METHODS: Readonly<Record<string, Method>> = {
  'thread/start': method(params.startParams, (given, { threads }) => threads.start(given)),
  'thread/resume': method(params.resumeParams, (given, { threads }) => threads.resume(given)),
  'thread/fork': method(params.forkParams, (given, { threads }) => threads.fork(given)),
  'thread/read': method(params.readParams, ({ threadId, includeTurns }, { threads }) =>
    threads.read(threadId, includeTurns === true),
  ),
  'thread/list': method(listParams, (given, { threads }) => threads.library.list(given)),
  'thread/loaded/list': method(nothing, (_, { threads }) => threads.loaded()),
  'thread/name/set': method(params.nameParams, ({ threadId, name }, { threads }) =>
    threads.setName(threadId, name),
  ),
  'thread/archive': method(params.ofThread, ({ threadId }, { threads }) => threads.archive(threadId)),
  'thread/unarchive': method(params.ofThread, ({ threadId }, { threads }) => threads.unarchive(threadId)),
  'thread/compact/start': method(params.ofThread, ({ threadId }, { threads }) => threads.compact(threadId)),
  'thread/unsubscribe': method(params.ofThread, ({ threadId }, { threads }) => threads.unsubscribe(threadId)),
  'thread/backgroundTerminals/terminate': method(
    params.terminalParams,
    ({ threadId, processId }, { threads }) => threads.stopCommand(threadId, processId),
  ),
  'turn/start': method(params.turnParams, async (given, { threads, reply }) => {
    await threads.startTurn(given, (turn) => reply({ turn }));
    return undefined;
  }),
  'turn/steer': method(params.steerParams, (given, { threads }) => threads.steer(given)),
  'turn/interrupt': method(params.interruptParams, ({ threadId, turnId }, { threads }) =>
    threads.interrupt(threadId, turnId),
  ),
  'model/list': method(nothing, async (_, { agents }) => ({ result: await listModels(agents) })),
  'skills/list': method(skillsParams, async ({ cwds }, { agents, cwd }) => ({
    result: await listSkills(cwds ?? [], { codexHome: agents.configs.current.codexHome, here: cwd }),
  })),
  'config/read': method(nothing, (_, { agents }) => ({
    result: { config: configOf(agents.configs.current), origins: {}, layers: null },
  })),
  // nobody but its user says what this agent may do
  'configRequirements/read': method(nothing, () => ({
    result: { supportsIndependentSpeedModes: null, requirements: null },
  })),
  // keys are the configuration's: nobody logs in here
  'account/read': method(nothing, () => ({
    result: { account: null, userId: null, requiresOpenaiAuth: false, workspaceRouting: null },
  })),
  getAuthStatus: method(nothing, () => ({
    result: { authMethod: null, authToken: null, requiresOpenaiAuth: false },
  })),
};

const greeting = z.object({
  clientInfo: z.object({ name: z.string(), version: z.string() }),
  capabilities: z.object({ optOutNotificationMethods: z.array(z.string()).nullish() }).nullish(),
});

export type ClientSurroundings = {
  agents: AgentProcess;
  cwd: string;
  /** The client reads so slowly that what it is told fills the memory: nothing is kept for it any more. */
  overrun(): void;
  fault(what: string, error: unknown): void;
};

export class Client {
  readonly #rpc: JsonRpc;
  readonly #threads: Threads;
  #greeted: { optedOut: ReadonlySet<string> } | null = null;
  readonly #running = new Set<Promise<void>>();

  constructor(
    from: Readable,
    private readonly to: Writable,
    private readonly surroundings: ClientSurroundings,
    /** Bytes that wait to be read. */
    private readonly most = 256 * 1024 * 1024,
  ) {
    const { agents, cwd, fault } = surroundings;
    this.#rpc = new JsonRpc(from, to, {
      // `initialized`, and whatever else needs no answer
      notified: () => undefined,
      asked: (request) => this.#asked(request),
      malformed: (refusal, id) => {
        if (this.#reads()) this.#rpc.refuse({ id }, refusal);
      },
    });
    const notify = (method: string, told: Record<string, unknown>) => this.#notify(method, told);
    this.#threads = new Threads(agents, cwd, { rpc: this.#rpc, notify, fault });
  }

  /** Ends what runs, and tells of that. Nothing is taken any more. */
  async close(): Promise<void> {
    this.#rpc.end(new Failure('unavailable', 'client.gone', 'the client has gone'));
    await this.#threads.close();
    await Promise.allSettled(this.#running);
  }

  #asked(request: RpcRequest): void {
    const running = this.#answer(request).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #answer(request: RpcRequest): Promise<void> {
    let replied = false;
    const reply = (result: object) => {
      replied = true;
      if (this.#reads()) this.#rpc.answer(request, result);
    };
    try {
      const answer = await this.#call(request, reply);
      if (answer) reply(answer.result);
      for (const { method, params } of answer?.news ?? []) this.#notify(method, params);
    } catch (error) {
      if (!replied && this.#reads()) this.#rpc.refuse(request, refusalOf(request.method, error));
      if (!(error instanceof Failure || error instanceof z.ZodError))
        this.surroundings.fault(`answer ${request.method}`, error);
    }
  }

  #call({ method, params }: RpcRequest, reply: Call['reply']): Promise<Answer | undefined> | Answer {
    if (method === 'initialize') return this.#greet(params);
    if (!this.#greeted) throw new Failure('conflict', 'client.order', 'Not initialized');
    const found = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    // in the words of Codex, which has no code of its own for it
    if (!found)
      throw new Failure(
        'notFound',
        'client.method',
        `Invalid request: unknown variant \`${method}\`: tscodex app-server does not serve this method`,
      );
    return found(params, { threads: this.#threads, ...this.surroundings, reply });
  }

  #greet(given: unknown): Answer {
    if (this.#greeted) throw new Failure('conflict', 'client.order', 'Already initialized');
    const { clientInfo, capabilities } = greeting.parse(given);
    this.#greeted = { optedOut: new Set(capabilities?.optOutNotificationMethods) };
    const { configs, version } = this.surroundings.agents;
    const { name, version: own } = clientInfo;
    return {
      result: {
        userAgent: `${name}/${PROTOCOL} (${process.platform}; ${process.arch}) tscodex/${version} (${name}; ${own})`,
        ...{ codexHome: configs.current.codexHome, platformFamily: 'unix' },
        platformOs: process.platform === 'darwin' ? 'macos' : process.platform,
      },
    };
  }

  #notify(method: string, params: Record<string, unknown>): void {
    if (!this.#greeted || this.#greeted.optedOut.has(method)) return;
    if (this.#reads()) this.#rpc.send({ method, params, emittedAtMs: Date.now() });
  }

  /** One that does not is given up before what waits for it fills the memory. */
  #reads(): boolean {
    if (this.to.writableLength <= this.most) return true;
    this.surroundings.overrun();
    return false;
  }
}

function refusalOf(method: string, error: unknown): RpcRefusal {
  if (error instanceof Failure)
    return { code: INVALID_REQUEST, message: error.message, data: { code: error.code } };
  if (!(error instanceof z.ZodError))
    return { code: INTERNAL_ERROR, message: `${method}: ${messageOf(error)}` };
  const [issue] = error.issues;
  const place = [method, ...(issue?.path ?? [])].join('.');
  return {
    code: INVALID_REQUEST,
    message: `Invalid request: ${place}: ${issue?.message ?? 'it does not fit'}`,
  };
}
