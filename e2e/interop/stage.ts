/** A scripted provider, Codex and this server on the directories of one box; all gone after the test. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { FakeModel, type ModelRequest } from '../support/fake-model.ts';
import { Box, type RunningServer } from '../support/server.ts';
import { Codex } from './codex.ts';

export type Stage = {
  model: FakeModel;
  box: Box;
  codex: Codex;
  /** Starts the server over these files of conversations: with the first start they are sessions in the list. */
  serve(...conversations: string[]): Promise<RunningServer>;
};

export const test = base.extend<Stage>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it what this depends on
  model: async ({}, use) => {
    const model = await FakeModel.start();
    await use(model);
    await model.stop();
  },

  box: async ({ model }, use) => {
    const workspaces = [{ id: 'demo', work_dir: 'work', board: 'work/board.html' }];
    const box = await Box.make({ modelUrl: model.url, toml: FULL_ACCESS, workspaces });
    await use(box);
    await box.remove();
  },

  codex: async ({ box }, use) => use(new Codex(box)),

  serve: async ({ box }, use) => {
    const servers: RunningServer[] = [];
    await use(async (...conversations) => {
      // a list of tabs as pycodex-ws leaves it is what brings files of others in
      const tabs = conversations.map((rollout_path) => ({ rollout_path }));
      await writeFile(join(box.workDir, 'board.pycodex-ws.json'), JSON.stringify({ version: 1, tabs }));
      const server = await box.start();
      servers.push(server);
      const listed = async () => (await server.workspaces())[0]?.sessions.length;
      await expect.poll(listed).toBeGreaterThanOrEqual(conversations.length);
      return server;
    });
    for (const server of servers) await server.kill();
  },
});

/** What Codex and this server tell a model of its surroundings, and of a turn that was stopped. */
const CONTEXT = /^<(environment_context|turn_aborted)>/;

/** The conversation in a request, without its context: who said what, calls, outputs. */
export function told(request: ModelRequest | undefined): string[] {
  const outputs = new Map<unknown, string>();
  return (request?.input ?? []).flatMap((item) => {
    const { type, role, name, call_id: call } = item;
    if (type === 'message') {
      const text = (item.content as { text?: string }[]).map((part) => part.text ?? '').join('');
      return role === 'developer' || CONTEXT.test(text) ? [] : [`${role}: ${text}`];
    }
    if (name !== undefined) {
      outputs.set(call, `${name}`);
      return [`call of ${name}`];
    }
    if (!String(type).endsWith('_output')) return [];
    return [`output of ${outputs.get(call)}: ${textOf(item.output).trimEnd().split('\n').at(-1)}`];
  });
}

function textOf(output: unknown): string {
  return typeof output === 'string'
    ? output
    : (output as { text?: string }[]).map(({ text }) => text).join('');
}
