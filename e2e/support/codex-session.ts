/** A session as the Codex CLI leaves it on disk. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes the file of a session in which a person has said one thing and was answered another; its id. */
export async function writeCodexSession(
  codexHome: string,
  cwd: string,
  [asked, answered]: readonly [string, string],
): Promise<string> {
  const id = randomUUID();
  const timestamp = '2026-01-05T08:00:00.000Z';
  const said = (role: string, type: string, text: string) => ({
    timestamp,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  });
  const meta = { id, timestamp, cwd, originator: 'codex_cli_rs', cli_version: '0.171.0' };
  const lines = [
    { timestamp, type: 'session_meta', payload: meta },
    said('user', 'input_text', asked),
    { timestamp, type: 'event_msg', payload: { type: 'user_message', message: asked } },
    said('assistant', 'output_text', answered),
    { timestamp, type: 'event_msg', payload: { type: 'agent_message', message: answered } },
  ];
  const path = join(codexHome, 'sessions/2026/01/05', `rollout-2026-01-05T08-00-00-${id}.jsonl`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return id;
}
