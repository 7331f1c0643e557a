/** What people write for agents in files: it reaches the model, and people see what does not. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { answered } from '../support/conversation.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const skill = (name: string) => `---\nname: ${name}\ndescription: does ${name}\n---\nHow ${name} is done.\n`;

test('AGENTS.md and a skill that a message names reach the model; a broken skill is told once', async ({
  page,
  box,
  model,
  server,
}) => {
  await write(join(box.workDir, 'AGENTS.md'), 'Use tabs.');
  await write(join(box.codexHome, 'skills', 'tidy', 'SKILL.md'), skill('tidy'));
  const broken = join(box.workDir, '.agents', 'skills', 'broken', 'SKILL.md');
  await write(broken, 'no front matter');
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await view.send('$tidy the files');
  await expect(view.conversation).toContainText('OK.');
  const sent = JSON.stringify(model.requests.at(-1)?.input);
  for (const words of ['Use tabs.', '- tidy: does tidy (file: r0/tidy/SKILL.md)', 'How tidy is done.'])
    expect(sent).toContain(words);

  const told = view.conversation.getByText(
    `Some skills cannot be used as they are. ${broken}: it does not begin`,
  );
  await expect(told).toHaveCount(1);
  // what was put below the message is the model's
  await expect(view.conversation).not.toContainText('How tidy is done.');
  await rm(join(box.workDir, 'AGENTS.md'));
  await view.send('and now?');
  await expect.poll(() => model.requests.length).toBe(2);
  expect(JSON.stringify(model.requests[1]?.input)).toContain('does not hold any more');
  await page.reload();
  await expect(told).toHaveCount(1);
  await expect(view.conversation).not.toContainText('How tidy is done.');
});

test('an agent reads its skills from within the sandbox that hides the rest of CODEX_HOME', async ({
  open,
  model,
}) => {
  const scene = await open({ confined: true });
  const { box, server, session } = scene;
  await write(join(box.codexHome, 'skills', 'tidy', 'SKILL.md'), skill('tidy'));
  const cmd = `cat ${join(box.codexHome, 'skills', 'tidy', 'SKILL.md')}; cat ${join(box.codexHome, 'config.toml')}`;
  model.answer([{ call: 'exec_command', args: { cmd } }]);
  await server.send(session, 'read it');
  expect(answered(await server.idle(session))).toEqual(['OK.']);
  const output = JSON.stringify(model.requests.at(-1)?.input.at(-1));
  expect(output).toContain('How tidy is done.');
  expect(output).toContain('No such file');
});

test.describe('in a browser that speaks Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('what does not reach the agent is said in Chinese', async ({ page, box, server }) => {
    await mkdir(join(box.workDir, 'AGENTS.md'));
    const session = await server.newSession();
    await server.send(session, '你好');
    await server.idle(session);
    await page.goto(
      `${server.url}login?next=${encodeURIComponent(`/w/demo/?session=${session}`)}#token=${server.token}`,
    );
    await expect(
      page.getByText(`给智能体看的说明没有全部送达，详情：${join(box.workDir, 'AGENTS.md')}`),
    ).toBeVisible();
  });
});
