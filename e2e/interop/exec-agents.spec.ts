/** `tscodex exec --json` beside `codex exec --json` where an agent starts another: line by line the same. */
import { expect } from '@playwright/test';
import { runExec } from '../support/exec-command.ts';
import type { ModelRequest, Step } from '../support/fake-model.ts';
import { follow } from '../support/scripts.ts';
import { test } from './stage.ts';

type Line = { type: string; item?: Record<string, unknown>; thread_id?: string };

/** The id of the agent that was started. */
const started = ({ input }: ModelRequest) =>
  input.flatMap(({ output }) => /"agent_id":"([^"]+)/.exec(String(output))?.[1] ?? [])[0] ?? '';

test('the calls about an agent are told as Codex tells them', async ({ box, codex, model }) => {
  // Codex names both otherwise: the space that the tools are in, and whom they are about
  const call = (name: string, args: object): Step => ({
    item: {
      ...{ type: 'function_call', id: `fc_${name}`, namespace: 'multi_agent_v1', name },
      ...{ arguments: JSON.stringify(args), call_id: `${name}-${Math.random()}` },
    },
  });
  const about =
    (name: string, more: object = {}) =>
    (request: ModelRequest) => {
      const id = started(request);
      return [call(name, { id, ids: [id], target: id, targets: [id], ...more })];
    };
  const script = () =>
    follow(model, {
      go: [
        [call('spawn_agent', { message: 'dig' })],
        about('wait_agent'),
        about('send_input', { message: 'dig on' }),
        about('wait_agent'),
        about('close_agent'),
        about('resume_agent'),
        [{ text: 'Done.' }],
      ],
      dig: [[{ text: 'Dug.' }], [{ text: 'Dug on.' }]],
    });
  const told = (lines: Line[]) => {
    const thread = lines[0]?.thread_id;
    const calls = lines.filter(({ item }) => item?.type === 'collab_tool_call');
    const [agent = ''] = (calls[1]?.item?.receiver_thread_ids ?? []) as string[];
    // how an agent stands right after it was written to is nobody's to say
    const open = (tool: unknown) => (tool === 'send_input' ? { agents_states: null } : {});
    const text = JSON.stringify(
      calls.map(({ type, item }) => ({ type, item: { ...item, id: null, ...open(item?.tool) } })),
    );
    return JSON.parse(text.replaceAll(agent, 'AGENT').replaceAll(String(thread), 'THREAD'));
  };
  script();
  const theirs = told((await codex.exec('go')) as Line[]);
  expect(theirs).toHaveLength(12);
  model.reset();
  script();
  const { stdout } = await runExec(box, ['--json', 'go']);
  const ours = stdout.trimEnd().split('\n');
  expect(told(ours.map((line) => JSON.parse(line)))).toEqual(theirs);
});
