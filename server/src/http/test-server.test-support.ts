/** A listening server over fakes, and raw requests to it. */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { HEARTBEAT_MS } from '@tscodex/shared/limits';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { Rules } from '../approvals/rules.ts';
import { type AppOptions, buildApp } from './app.ts';
import type { LoginStore, StoredLogin } from './auth/login-store.ts';
import { FakeCatalog } from './fake-catalog.test-support.ts';
import { FakeWorkspaces } from './fake-workspaces.test-support.ts';

export const TOKEN = 'test-token-0123456789-0123456789-0123456789';

export type TestServer = {
  app: FastifyInstance;
  workspaces: FakeWorkspaces;
  catalog: FakeCatalog;
  port: number;
  origin: string;
  heartbeatMs: number;
  /** What was logged so far. */
  log: () => string;
  request: (method: string, path: string, options?: RequestOptions) => Promise<Reply>;
  /** Logs in with the token; the cookies as a `Cookie` header. */
  login: (name?: string) => Promise<string>;
};

type RequestOptions = { headers?: http.OutgoingHttpHeaders; body?: unknown };
export type Reply = { status: number; headers: http.IncomingHttpHeaders; text: string };

export async function startServer(options: Partial<AppOptions> = {}): Promise<TestServer> {
  const workspaces = new FakeWorkspaces();
  const catalog = new FakeCatalog();
  const lines: string[] = [];
  const stream = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  const app = await buildApp({
    workspaces,
    catalog,
    sandbox: { problem: null, facts: null },
    rules: new Rules('/nowhere'),
    logins: memoryLogins(),
    token: TOKEN,
    password: null,
    authRequired: true,
    machineName: 'box',
    allowedHosts: [],
    publicUrl: null,
    trustProxy: false,
    basePath: '',
    publicDir: '/nowhere',
    version: '0.0.0',
    logger: pino({ level: 'debug' }, stream),
    ...options,
  });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const request: TestServer['request'] = (method, path, { headers = {}, body } = {}) =>
    rawRequest(port, method, path, { headers: { host: `127.0.0.1:${port}`, ...headers }, body });
  return {
    app,
    workspaces,
    catalog,
    port,
    origin,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    log: () => lines.join(''),
    request,
    async login(name) {
      const reply = await request('POST', '/api/login', {
        headers: { origin },
        body: { token: TOKEN, name },
      });
      return cookiesOf(reply);
    },
  };
}

/** A request with exactly these headers; objects are sent as JSON. */
export function rawRequest(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: RequestOptions,
): Promise<Reply> {
  const raw = typeof body === 'string' || body instanceof Buffer || body === undefined;
  const payload = raw ? body : JSON.stringify(body);
  const json = raw ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = http.request(
      { host: '127.0.0.1', port, method, path, headers: { ...json, ...headers }, agent: false },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(payload as string | Buffer | undefined);
  });
}

export function cookiesOf(reply: Reply): string {
  return (reply.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

export function memoryLogins(): LoginStore & { rows: Map<string, StoredLogin> } {
  const rows = new Map<string, StoredLogin>();
  return {
    rows,
    find: (idHash) => rows.get(idHash) ?? null,
    insert: async (login) => void rows.set(login.idHash, login),
    rename: async (idHash, name) => {
      const login = rows.get(idHash);
      if (login) rows.set(idHash, { ...login, name });
    },
    touch: async () => undefined,
    remove: async (idHash) => void rows.delete(idHash),
    prune: async () => undefined,
  };
}

export async function temporaryDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tscodex-http-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
