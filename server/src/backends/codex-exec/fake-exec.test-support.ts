/** For tests: a session on a program in the place of `codex exec`. */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody, Usage } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { NO_USAGE } from '../../session/usage-tally.ts';
import type { BackendHost } from '../backend.ts';
import { CodexVersions } from '../codex-process/codex-version.ts';
import { CodexExecBackend } from './backend.ts';
import type { Limits } from './patience.ts';

export const THREAD = '01a22a5e-0d65-7973-84c3-c1b15c5ba632';

/** What its script has: `say` prints an event, `write` appends to the session's file, `prompt` was read from stdin. */
const HEAD = `
const fs = require('node:fs');
if (process.argv[2] === '--version') { console.log('codex-cli 0.171.0'); process.exit(0); }
const args = process.argv.slice(2);
const rollout = process.env.FAKE_ROLLOUT;
const say = (type, rest = {}) => fs.writeSync(1, JSON.stringify({ type, ...rest }) + '\\n');
const write = (type, payload) => fs.appendFileSync(rollout, JSON.stringify({ timestamp: 't', type, payload }) + '\\n');
const took = (words) => write('event_msg', { type: 'item_completed', turn_id: 't', item: { type: 'UserMessage', content: [{ type: 'text', text: words }] } });
const item = (id, rest, event = 'item.completed') => say(event, { item: { id, ...rest } });
const stay = () => setInterval(() => undefined, 1000);
const usage = (n) => ({ input_tokens: n, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0 });
const count = (last, total) => write('event_msg', { type: 'token_count', info: {
  last_token_usage: { ...usage(last), total_tokens: last + 1 }, total_token_usage: { ...usage(total), total_tokens: total + 1 } } });
let prompt = '';
process.stdin.on('data', (part) => { prompt += part; });
`;

/** It says this and nothing else. */
export const ANSWERS = `
process.stdin.on('end', () => {
  say('thread.started', { thread_id: '${THREAD}' });
  say('turn.started');
  took(prompt);
  item('item_0', { type: 'agent_message', text: 'You said ' + prompt });
  say('turn.completed', { usage: usage(100) });
});`;

export type FakeExec = Awaited<ReturnType<typeof fakeExec>>;

/** `body`: of its script. `remove` ends it and takes its directory away. */
export async function fakeExec(body: string, limits: Partial<Limits> = {}) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'codex-exec-')));
  const program = join(dir, 'codex');
  const rollout = join(dir, 'rollout.jsonl');
  await writeFile(program, `#!${process.execPath}\n${HEAD}\n${body}\n`);
  await chmod(program, 0o755);
  const events: EventBody[] = [];
  const used: Usage[] = [];
  const aside: Usage[] = [];
  const faults: string[] = [];
  const given: [string, number][] = [];
  const prepared: boolean[] = [];
  const waiting = [{ id: 'input', text: 'Hello', imagePaths: [] as string[] }];
  const host = {
    emit: (event: EventBody) => events.push(event),
    used: (usage: Usage) => used.push(usage),
    usedAside: (usage: Usage) => aside.push(usage),
    contextReplaced: () => undefined,
    sending: async () => undefined,
    fault: (what: string, error: unknown) => faults.push(`${what}: ${error}`),
    takeInputs: async (most: number) => {
      const taken = waiting.splice(0, most);
      try {
        await backend.deliver(taken);
      } catch (error) {
        waiting.unshift(...taken);
        throw error;
      }
      // as the runtime shows it
      events.push({ type: 'item.completed', item: { type: 'userMessage', text: taken[0]?.text } as Item });
      return [];
    },
  } as unknown as BackendHost;
  const env = { PATH: process.env.PATH ?? '', FAKE_ROLLOUT: rollout };
  const backend = new CodexExecBackend({
    ...{ sessionId: THREAD, rolloutPath: rollout, versions: new CodexVersions() },
    codex: { program: () => program, cwd: dir, env },
    held: () => ({
      ...{ cwd: dir, sandbox: 'workspace-write', approval: 'never', network: false },
      ...{ writableRoots: [], slashTmp: true, tmpdir: true, hidden: [] },
    }),
    ...{ spoken: false, model: null, effort: undefined, used: NO_USAGE, host },
    limits: { silenceMs: 60_000, reconnectSeconds: 60, ...limits },
    async prepareFile(paginated) {
      prepared.push(paginated);
      if (!existsSync(rollout)) await writeFile(rollout, '');
    },
    giving: async (id, bytes) => void given.push([id, bytes]),
  });
  return {
    ...{ dir, program, rollout, backend, events, used, aside, faults, given, prepared, waiting },
    run: (signal = new AbortController().signal) => backend.runTurn('turn', signal),
    /** Of what was shown, in order. */
    shown: () =>
      events.flatMap((event) =>
        event.type === 'item.completed'
          ? [`${event.item.type} ${'text' in event.item ? event.item.text : ''}`.trim()]
          : [],
      ),
    /** What its script has left beside itself. */
    left: (name: string) => readFileSync(join(dir, name), 'utf8'),
    async remove() {
      await backend.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
