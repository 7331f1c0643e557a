/** Sessions on the real Codex: this server told where its program is, and a model that Codex knows. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ask } from '@tscodex/shared/asks';
import type { Box, RunningServer } from '../support/server.ts';
import { test as base } from './stage.ts';

export const CODEX = { backend: 'codex' };

/** Of those that Codex knows, one that it gives plain tools: `apply_patch` among them. */
export const KNOWN_MODEL = 'gpt-5.5';

type Fixtures = {
  /** Starts the server, which ends politely after the test: its Codex has ended before its directories go. */
  serveWithCodex(env?: Record<string, string>): Promise<RunningServer>;
};

export const test = base.extend<Fixtures>({
  serveWithCodex: async ({ box }, use) => {
    const servers: RunningServer[] = [];
    await use(async (env) => {
      await nameCodex(box);
      const server = await box.start([], env);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.kill('SIGTERM');
  },
});

/** One on a PATH below /tmp the server would not start. */
async function nameCodex(box: Box): Promise<void> {
  const program = process.env.CODEX_BIN;
  if (!program) throw new Error('CODEX_BIN names no Codex: npm run test:interop gets one');
  await configure(box, (config) =>
    config.includes('codex_bin')
      ? config
      : config.replace('[tscodex]\n', `[tscodex]\ncodex_bin = ${JSON.stringify(program)}\n`),
  );
}

export async function configure(box: Box, change: (config: string) => string): Promise<void> {
  const path = join(box.codexHome, 'config.toml');
  await writeFile(path, change(await readFile(path, 'utf8')));
}

/** A session on Codex in which everything asks first. */
export async function askingSession(server: RunningServer): Promise<string> {
  const id = await server.newSession('demo', CODEX);
  await server.api('PATCH', `api/sessions/${id}`, { approval: 'untrusted' });
  return id;
}

/** The one ask that waits. */
export async function asking(server: RunningServer, id: string): Promise<Ask> {
  const { asks } = await server.until(id, (state) => state.asks.length === 1);
  return asks[0] as Ask;
}

export async function answer(server: RunningServer, id: string, ask: Ask, answer: object): Promise<void> {
  await server.api('POST', `api/sessions/${id}/asks/${ask.id}`, answer);
}
