/** How it looks, in both colour schemes and on a phone: pictures for people, and axe for what can be measured. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { look } from '../support/look.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const answer = `I looked at the numbers. The sum is $\\frac{n(n+1)}{2}$, so it grows with the square.

| file | lines |
| --- | ---: |
| \`parser.py\` | 412 |
| \`lexer.py\` | 97 |

\`\`\`python
def total(n: int) -> int:
    return n * (n + 1) // 2
\`\`\`

- **Next**: the tests. See [the notes](https://example.org/).`;

test('login', async ({ page, server }, info) => {
  await page.goto(`${server.url}login`);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toContainText('not the password');
  await look(page, info, 'login');
});

test('workspaces', async ({ page, server }, info) => {
  await server.newSession();
  await page.goto(server.loginUrl);
  await expect(page.getByRole('link', { name: 'demo' })).toBeVisible();
  await look(page, info, 'workspaces');
});

test('a workspace', async ({ page, server, model }, info) => {
  const plan = [
    { step: 'Read the parser', status: 'completed' },
    { step: 'Write the tests', status: 'in_progress' },
    { step: 'Measure', status: 'pending' },
  ];
  model.answer(
    [
      { reasoning: '**Looking around**\n\nWhere are the tests?' },
      { text: 'I begin with a plan.' },
      { call: 'update_plan', args: { plan } },
    ],
    [{ call: 'exec_command', args: { cmd: 'printf "one\\ntwo\\n"; exit 3' } }],
    [{ custom: 'apply_patch', input: '*** Begin Patch\n*** Add File: notes.txt\n+a note\n*** End Patch\n' }],
    [{ text: answer }],
  );
  await server.newSession('demo', { title: 'An older session' });
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await view.send('Please count the lines of the parser, then say what grows fastest and why.');
  await view.allowOnce();
  await view.approval.getByText('notes.txt').waitFor();
  await view.allowOnce();
  await expect(view.conversation.locator('.katex')).toBeVisible();
  await expect(view.status).toHaveText('idle');
  await view.send('/help');
  await expect(view.conversation).toContainText('/history');
  await look(page, info, 'workspace');
});

test('an approval', async ({ page, server, model }, info) => {
  const args = { cmd: 'rm -rf build && npm run build', justification: 'The old build is stale.' };
  model.answer([{ call: 'exec_command', args }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('Build it again');
  await view.approval.waitFor();
  await view.send('and run the tests, too, once the build has gone through without a warning');
  await view.waiting('steer').waitFor();
  await look(page, info, 'approval');
});

test('a question', async ({ page, server, model }, info) => {
  const questions = [
    {
      id: 'size',
      header: 'Size',
      question: 'How large may the index grow?',
      options: [
        { label: 'Small', description: 'Fits in memory; slow for old messages.' },
        { label: 'Large', description: 'On disk; quick for everything.' },
      ],
    },
    { id: 'name', header: 'Name', question: 'What shall it be called?', options: [] },
  ];
  model.answer([{ call: 'request_user_input', args: { questions } }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('Add an index');
  await view.question.waitFor();
  await look(page, info, 'question');
});

test.describe('on a machine that confines', () => {
  test.use({ confined: true });

  test('what goes beyond the sandbox: the approval, its rule, the rules', async ({
    page,
    server,
    model,
    box,
  }, info) => {
    // three places, each in every look
    test.slow();
    await mkdir(join(box.codexHome, 'rules'));
    await writeFile(
      join(box.codexHome, 'rules', 'team.rules'),
      'prefix_rule(pattern=["cargo", ["test", "check"]], decision="allow")\n' +
        'prefix_rule(pattern=["git", "push"], decision="prompt", justification="Mei reviews first.")\n' +
        'prefix_rule(decision="allow")\n',
    );
    const args = {
      cmd: 'npm run dev -- --port 3000',
      sandbox_permissions: 'require_escalated',
      justification: 'The page has to be seen in a browser.',
      prefix_rule: ['npm', 'run', 'dev'],
    };
    model.answer([{ call: 'exec_command', args }]);
    const view = await WorkspaceView.open(page, server);
    await view.send('Start it');
    await view.approval.waitFor();
    await look(page, info, 'beyond');
    await view.approval.getByRole('button', { name: 'Always allow…' }).click();
    await look(page, info, 'rule');
    await view.approval.getByRole('button', { name: 'All rules…' }).click();
    await page.getByRole('list', { name: 'Rules' }).waitFor();
    await look(page, info, 'rules');
  });

  test('what commands may do', async ({ page, server }, info) => {
    await WorkspaceView.open(page, server, await server.newSession());
    await page.getByRole('button', { name: /^Permissions:/ }).click();
    await page.getByRole('dialog', { name: 'What commands may do' }).waitFor();
    await look(page, info, 'permissions');
  });
});

test('why commands are not confined', async ({ page, server }, info) => {
  await WorkspaceView.open(page, server, await server.newSession());
  await page.getByRole('button', { name: /^Permissions:/ }).click();
  await page.getByText('This machine cannot confine commands').waitFor();
  await look(page, info, 'not-confined');
});
