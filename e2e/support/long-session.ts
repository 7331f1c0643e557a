/** Sessions that have gone on for very long: their files are written, not lived. */
import { appendFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import type { FakeModel } from './fake-model.ts';
import type { Box, RunningServer } from './server.ts';

const at = '2026-01-02T03:04:05.000Z';
const done = { turnId: null, status: 'completed', startedAt: at, completedAt: at } as const;

/** A question, an answer with code, and two commands, in turn; `item-7` is the eighth. */
export function itemNumber(n: number): Item {
  const base = { ...done, id: `item-${n}` };
  const kind = n % 4;
  if (kind === 0)
    return {
      ...{ ...base, type: 'userMessage', text: `Question ${n}`, attachments: [], author: null },
      ...{ mode: 'steer', inputId: base.id },
    };
  if (kind === 1) {
    const text = `Answer ${n}: some **words**.\n\n${'More of them. '.repeat(n % 30)}\n\n\`\`\`\ncode ${n}\n\`\`\``;
    return { ...base, type: 'agentMessage', text };
  }
  const output = `output of ${n}\n`.repeat(1 + (n % 5));
  return {
    ...{ ...base, type: 'commandExecution', command: `run ${n}`, cwd: '/w', output, truncated: false },
    ...{ outputBytes: output.length, exitCode: 0, durationMs: 12, sandbox: 'none' },
  };
}

/** A session with these items, and a server that has it open. */
export async function longSession(
  box: Box,
  start: () => Promise<RunningServer>,
  model: FakeModel,
  items: Iterable<Item>,
): Promise<{ server: RunningServer; session: string; path: string }> {
  const first = await start();
  const session = await first.newSession();
  model.answer([{ text: 'So it begins.' }]);
  await first.send(session, 'begin');
  await first.idle(session);
  await first.kill('SIGTERM');
  const path = await rolloutOf(box, session);
  let lines = '';
  for (const payload of items)
    lines += `${JSON.stringify({ timestamp: at, type: 'tscodex_item', payload })}\n`;
  appendFileSync(path, lines);
  return { server: await start(), session, path };
}

export function* itemNumbers(from: number, to: number): Generator<Item> {
  for (let n = from; n < to; n++) yield itemNumber(n);
}

async function rolloutOf(box: Box, session: string): Promise<string> {
  const sessions = join(box.codexHome, 'sessions');
  const name = (await readdir(sessions, { recursive: true })).find((path) =>
    path.endsWith(`${session}.jsonl`),
  );
  if (name === undefined) throw new Error(`no file of session ${session}`);
  return join(sessions, name);
}
