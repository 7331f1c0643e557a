/** What follows a turn: programs of the user that are told of it, and TURN_HOOK.md in the workspace. */
import { existsSync, readFileSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import type { ModelRequest, Step } from '../support/fake-model.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const hook = (event: string, script: string, more = '') =>
  `[[hooks."${event}"]]\ncommand = ["/bin/sh", "-c", ${JSON.stringify(script)}]\n${more}\n`;
const notices = ({ items }: SessionState) => items.filter((item) => item.type === 'notice');

test('programs are told of turns, asks and the end, each once and in order', async ({ open, model }) => {
  const events = ['turn.started', 'ask.opened', 'turn.completed', 'session.closed'];
  // beside config.toml
  const toml = events.map((event) => hook(event, 'cat >> told')).join('');
  const { server, session, box } = await open({ toml });
  model.answer([{ call: 'exec_command', args: { cmd: 'touch x' } }], [{ text: 'As you wish.' }]);
  await server.send(session, 'make it');
  const { asks } = await server.until(session, (state) => state.asks.length === 1);
  await server.api('POST', `api/sessions/${session}/asks/${asks[0]?.id}`, { choice: 'decline' });
  await server.idle(session);
  expect(await server.kill('SIGTERM')).toBe(0);
  const told = readFileSync(join(box.codexHome, 'told'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(told.map(({ event }) => event)).toEqual(events);
  for (const one of told)
    expect(one).toMatchObject({
      session_id: session,
      cwd: box.workDir,
      workspace: { id: 'demo', directory: box.workDir },
    });
  expect(told[1]).toMatchObject({ ask: { kind: 'approval', what: 'command', command: 'touch x' } });
  expect(told[2]).toMatchObject({
    turn_id: told[0].turn_id,
    status: 'completed',
    last_message: 'As you wish.',
  });
  expect(told[3]).toMatchObject({ reason: 'shutdown' });
});

test('hooks that hang, flood, fail or are not there hold up nothing, and are told of', async ({
  open,
  model,
}) => {
  const sleep = `sleep ${uniqueSeconds()}`;
  const toml = [
    hook('turn.started', `trap '' TERM; ${sleep} & ${sleep}; wait`, 'timeout_ms = 300'),
    hook('turn.completed', 'yes'),
    hook('turn.completed', 'echo broken >&2; exit 7'),
    '[[hooks."turn.completed"]]\ncommand = ["/no/such/program"]\n',
    hook('session.closed', `${sleep}`, 'timeout_ms = 500'),
  ].join('');
  const { server, session } = await open({ toml });
  model.answer([{ text: 'Done.' }], [{ text: 'Again.' }]);
  await server.send(session, 'one');
  await server.until(session, (state) => notices(state).length === 4);
  await server.send(session, 'two');
  const state = await server.until(session, ({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Again.'),
  );
  expect(notices(state).map(({ level, code, text }) => [level, code, text])).toEqual([
    ['warning', 'hook.failed', 'The hook /bin/sh for turn.started did not end within 0.3 s and was ended.'],
    [
      'warning',
      'hook.failed',
      'The hook /bin/sh for turn.completed printed more than 1048576 bytes and was ended.',
    ],
    ['warning', 'hook.failed', 'The hook /bin/sh for turn.completed ended with exit code 7.'],
    [
      'warning',
      'hook.failed',
      expect.stringMatching(/^The hook \/no\/such\/program for turn.completed could not be started: /),
    ],
  ]);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(processes(sleep)).toEqual([]);
});

/** The main conversation is answered with these, what TURN_HOOK.md asks for with those. */
function answers(main: Step[][], hooked: Step[][]) {
  const isHook = ({ input }: ModelRequest) => JSON.stringify(input).includes('<turn_hook>');
  const answer = (request: ModelRequest) =>
    (isHook(request) ? hooked : main).shift() ?? [{ text: '(no more)' }];
  return Array(main.length + hooked.length).fill(answer);
}

test.describe('TURN_HOOK.md', () => {
  test.use({ toml: FULL_ACCESS });

  test('is carried out after a turn; only its outcome is in the conversation', async ({
    page,
    server,
    model,
    box,
  }) => {
    await writeFile(join(box.workDir, 'TURN_HOOK.md'), 'Write a line into told.\n');
    model.answer(
      ...answers(
        [[{ text: 'Done.' }], [{ text: 'More.' }]],
        [
          [{ call: 'exec_command', args: { cmd: 'echo turn >> told' } }],
          [{ text: 'I wrote **a line**.' }],
          [{ text: 'Nothing to tell.' }],
        ],
      ),
    );
    const view = await WorkspaceView.open(page, server);
    await view.send('do it');
    await expect(view.conversation).toContainText('TURN_HOOK.md was carried out.');
    await view.conversation.getByText('The last message').click();
    await expect(view.conversation).toContainText('I wrote a line.');
    expect(readFileSync(join(box.workDir, 'told'), 'utf8')).toBe('turn\n');
    // folded away
    await expect(view.conversation.getByText('echo turn >> told')).toBeHidden();
    await view.send('and more');
    await expect(view.conversation).toContainText('More.');
    const main = model.requests.filter(({ input }) => !JSON.stringify(input).includes('<turn_hook>'));
    expect(main).toHaveLength(2);
    expect(JSON.stringify(main[1]?.input)).not.toContain('a line');
    await page.reload();
    await expect(view.conversation).toContainText(/TURN_HOOK\.md was carried out\..*and more.*More\./s);
  });
});

test('TURN_HOOK.md asks nobody, stays in the sandbox, and follows no link', async ({ open, model }) => {
  const { server, session, box } = await open({ confined: true });
  const file = join(box.workDir, 'TURN_HOOK.md');
  await writeFile(file, 'Tell the world.');
  const outside = join(box.codexHome, 'outside');
  const wanted = { sandbox_permissions: 'require_escalated', justification: 'to tell' };
  model.answer(
    ...answers(
      [[{ text: 'Done.' }], [{ text: 'Done again.' }]],
      [
        [{ call: 'exec_command', args: { cmd: `echo in > inside; echo out > ${outside}` } }],
        [{ call: 'exec_command', args: { cmd: `echo out > ${outside}`, ...wanted } }],
        [{ call: 'request_user_input', args: { questions: [{ id: 'q', header: 'H', question: 'May I?' }] } }],
        [{ call: 'clock', args: { period_m: 5 } }],
        [{ text: 'I could not.' }],
      ],
    ),
  );
  await server.send(session, 'do it');
  const state = await server.until(session, (s) => notices(s).some(({ code }) => code === 'turn-hook.done'));
  expect(notices(state).at(-1)).toMatchObject({ details: { message: 'I could not.' } });
  expect([existsSync(join(box.workDir, 'inside')), existsSync(outside)]).toEqual([true, false]);
  expect(state).toMatchObject({ asks: [], clock: null });
  const outputs = (model.requests.at(-1)?.input ?? []).flatMap(({ output }) =>
    output === undefined ? [] : [output],
  );
  expect(outputs.slice(1)).toEqual([
    expect.stringMatching(/^This command was declined.*nobody is here/),
    expect.stringMatching(/^request_user_input: nobody is here/),
    expect.stringMatching(/^clock: nobody is here/),
  ]);

  await writeFile(join(box.dir, 'secret'), 'Do what the secret says.');
  await rm(file);
  await symlink(join(box.dir, 'secret'), file);
  await server.send(session, 'and again');
  const linked = await server.until(session, (s) =>
    notices(s).some(({ code }) => code === 'turn-hook.unusable'),
  );
  expect(notices(linked).at(-1)).toMatchObject({ level: 'warning', details: { reason: 'it is a link' } });
  expect(JSON.stringify(model.requests)).not.toContain('secret says');
});
