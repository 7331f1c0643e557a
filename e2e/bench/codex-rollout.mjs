/**
 * A long conversation as Codex 0.171.0 records it in its paginated form: turns of a message, commands with large
 * outputs, of which the model has seen the beginning, and an answer. The same for the same arguments.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const COMMANDS = 8;
/** Bytes of an output that the model is shown, of a model that Codex does not know. */
const SHOWN = 9000;
const AT = '2026-01-02T03:04:05.000Z';

/** As a compiler or a test runner prints them; one of the last ones stands in every tenth output. */
const LINES = [
  'src/server/routes/session.ts:112:7 - error TS2345: Argument of type "string" is not assignable to "number".',
  '    at Object.<anonymous> (/srv/project/test/session.test.js:48:19)',
  '+  const rows = await database.all(`SELECT id, title FROM sessions WHERE cwd = "/srv"`);',
  'PASS  test/config/layers.test.ts (41 tests) 812 ms',
  '\t"resolved": "https://registry.example.org/package/-/package-4.17.21.tgz",',
  'drwxr-xr-x  4 dev dev  4096 Jan  2 03:04 node_modules',
];
const WIDE_LINE = ' ✓ reads a file that another program has written – 12 ms';

/**
 * Writes a rollout into `codexHome`; `turns` of them, `outputBytes` of output each command. `compactedAfter`: turns
 * after which all before is summed up.
 * @returns {string} the id of its session
 */
export function writeCodexRollout(codexHome, { number, cwd, turns, outputBytes, compactedAfter = null }) {
  const id = `01970000-0000-7000-9000-${String(number).padStart(12, '0')}`;
  const path = join(codexHome, 'sessions/2026/01/02', `rollout-2026-01-02T03-04-05-${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w', 0o600);
  let ordinal = 0;
  const write = (records) => {
    const lines = records.map(([type, payload]) =>
      JSON.stringify({ timestamp: AT, ordinal: ordinal++, type, payload }),
    );
    writeSync(file, `${lines.join('\n')}\n`);
  };
  write([['session_meta', metaOf(id, cwd)]]);
  for (let turn = 0; turn < turns; turn++) {
    write(turnOf({ thread_id: id, turn_id: `turn-${turn}` }, cwd, turn, outputBytes));
    if (turn + 1 === compactedAfter) write([['compacted', summaryOf(turn)]]);
  }
  closeSync(file);
  return id;
}

function metaOf(id, cwd) {
  return {
    ...{ id, session_id: id, timestamp: AT, cwd, originator: 'codex_exec', cli_version: '0.171.0' },
    ...{ source: 'exec', model_provider: 'bench', history_mode: 'paginated' },
    base_instructions: { text: 'You are an agent that is measured.' },
  };
}

function turnOf(place, cwd, turn, outputBytes) {
  const asked = `Please look at part ${turn} and mend what is broken in it.`;
  const said = `Part ${turn} is mended: it was the path that was read too early.`;
  const commands = Array.from({ length: COMMANDS }, (_, n) => turn * COMMANDS + n);
  return [
    event({ type: 'task_started', turn_id: place.turn_id, started_at: 1_767_323_045 }),
    message('user', { type: 'input_text', text: asked }, ['user.text']),
    completed(place, { type: 'UserMessage', id: `user-${turn}`, content: [{ type: 'text', text: asked }] }),
    ...commands.flatMap((command) => commandOf(place, cwd, command, outputBytes)),
    completed(place, {
      ...{ type: 'AgentMessage', id: `said-${turn}`, phase: 'final_answer' },
      content: [{ type: 'Text', text: said }],
    }),
    message('assistant', { type: 'output_text', text: said }, ['unknown']),
    event({ type: 'task_complete', turn_id: place.turn_id, last_agent_message: said }),
  ];
}

function commandOf(place, cwd, number, outputBytes) {
  const [id, cmd, output] = [`call_${number}`, `npm test -- part${number}`, outputOf(number, outputBytes)];
  const told = `Chunk ID: 97a70d\nWall time: 0.1931 seconds\nProcess exited with code 0\nOutput:\n${output.slice(0, SHOWN)}`;
  const args = JSON.stringify({ cmd });
  return [
    ['response_item', { type: 'function_call', name: 'exec_command', arguments: args, call_id: id }],
    completed(place, {
      ...{ type: 'CommandExecution', id, command: ['/bin/bash', '-lc', cmd], cwd: `file://${cwd}` },
      ...{ parsed_cmd: [{ type: 'unknown', cmd }], source: 'unified_exec_startup', status: 'completed' },
      ...{ aggregated_output: output, exit_code: 0, duration: { secs: 0, nanos: 192_971_399 } },
    }),
    ['response_item', { type: 'function_call_output', call_id: id, output: told }],
  ];
}

function outputOf(seed, bytes) {
  let state = seed + 1;
  let output = seed % 10 === 0 ? `${WIDE_LINE}\n` : '';
  while (output.length < bytes) {
    state = (state * 48_271) % 2_147_483_647;
    output += `${LINES[state % LINES.length]} #${state}\n`;
  }
  return output;
}

function summaryOf(turn) {
  const text = `All parts up to ${turn} have been looked at and mended.`;
  const kept = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }];
  return { message: text, replacement_history: kept };
}

function message(role, part, kinds) {
  const about = { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } };
  return ['response_item', { type: 'message', role, content: [part], ...about }];
}

function completed(place, item) {
  return event({ type: 'item_completed', ...place, item, started_at_ms: 0, completed_at_ms: 0 });
}

function event(payload) {
  return ['event_msg', payload];
}
