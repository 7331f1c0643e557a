/** English and Chinese: by the browser's choice, or by the reader's on this device; switched without a reload. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { catalogued } from '../support/all-sessions.ts';
import { test } from '../support/browser-stage.ts';
import { writeCodexSession } from '../support/codex-session.ts';
import { latinTexts } from '../support/latin.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

// many screens to a test
test.describe.configure({ timeout: 180_000 });

const switchTo = (page: Page, language: '中文' | 'English') =>
  page.getByRole('button', { name: language, exact: true }).click();

/** The page that is there now; a reload would lose it. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window);

test.describe('in a browser that speaks Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('what is wrong with a workspace, and with their file, is said in Chinese', async ({
    page,
    box,
    start,
  }) => {
    const gone = join(box.dir, 'gone');
    const entries = [{ id: 'gone', work_dir: gone }, { id: 'nodir' }, { id: 'nodir', work_dir: '.' }];
    await writeFile(box.configPath, JSON.stringify(entries));
    const server = await start();
    await page.goto(server.loginUrl);
    const cards = page.getByRole('main').getByRole('listitem');
    await expect(cards.nth(0)).toContainText(`workspaces.json: [0].work_dir：目录 ${gone} 不存在。`);
    await expect(cards.nth(1)).toContainText('[1].work_dir：没有写工作目录。');
    await expect(cards.nth(2)).toContainText('[2].id：nodir 已是前面一项的 id。');
    await cards.nth(1).getByRole('button', { name: '编辑' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: '目录' }).fill('/etc/passwd');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('/etc/passwd 不是目录。');
    await page.keyboard.press('Escape');
    await cards.nth(0).getByRole('button', { name: '创建目录' }).click();
    await expect(cards.nth(0)).toContainText('还没有会话');

    await writeFile(box.configPath, '[\n  {');
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      /列表保持原样.*workspaces\.json 第 2 行第 4 列不是有效的 JSON/s,
    );
    await page.getByRole('button', { name: '添加工作区' }).click();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      '工作区列表的文件有误，改正之前不能更改列表。',
    );
  });

  test('no screen has a word of English', async ({ page, server, model }) => {
    const plan = [
      { step: '读代码', status: 'completed' },
      { step: '写测试', status: 'in_progress' },
      { step: '测量', status: 'pending' },
    ];
    const options = [
      { label: '小', description: '放得进内存' },
      { label: '大', description: '放在磁盘上' },
    ];
    const question = { id: 'size', header: '大小', question: '索引可以多大？', options };
    model.answer(
      [{ reasoning: '**看一看**\n\n测试在哪里？' }, { call: 'update_plan', args: { plan } }],
      [{ call: 'exec_command', args: { cmd: '(( 0 ))', justification: '试一试。' } }],
      [{ custom: 'apply_patch', input: '*** Begin Patch\n*** Add File: 笔记\n+一\n*** End Patch\n' }],
      [{ call: 'request_user_input', args: { questions: [question] } }],
      [{ text: '好了。\n\n- [x] 一\n- [ ] 二\n\n```\n1\n```' }],
    );
    await page.goto(`${server.url}login`);
    await page.getByRole('textbox', { name: '密码' }).fill('1');
    await page.getByRole('button', { name: '登录' }).click();
    await page.getByRole('alert').getByText('密码不对').waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    await expect(page).toHaveTitle('登录 · tscodex');
    expect.soft(await latinTexts(page), 'login').toEqual([]);

    await server.newSession();
    await page.goto(server.loginUrl);
    await page.getByRole('link', { name: 'demo' }).waitFor();
    expect.soft(await latinTexts(page), 'workspaces').toEqual([]);

    await page.goto(`${server.url}w/demo/`);
    const message = page.getByRole('textbox', { name: '消息', exact: true });
    const status = page.getByRole('status', { name: '会话状态' });
    const log = page.getByRole('log', { name: '对话' });
    const approval = page.getByRole('form', { name: '审批' });
    await message.fill('写一个测试');
    expect.soft(await latinTexts(page), 'an empty session').toEqual([]);
    await message.press('Enter');
    await approval.getByText('运行这条命令？').waitFor();
    await message.fill('快一点');
    await message.press('Enter');
    await page.getByRole('group', { name: '等待中：插话' }).waitFor();
    expect.soft(await latinTexts(page), 'an approval').toEqual([]);
    await approval.getByRole('button', { name: '拒绝并说明原因…' }).click();
    expect.soft(await latinTexts(page), 'a reason').toEqual([]);
    await approval.getByRole('button', { name: '取消' }).click();
    await approval.getByRole('button', { name: '允许一次' }).click();
    await approval.getByText('修改 1 个文件？').waitFor();
    expect.soft(await latinTexts(page), 'a patch').toEqual([]);
    await approval.getByRole('button', { name: '允许一次' }).click();
    const form = page.getByRole('form', { name: '提问' });
    await form.getByRole('radio', { name: '小' }).check();
    expect.soft(await latinTexts(page), 'a question').toEqual([]);
    await form.getByRole('button', { name: '提交' }).click();
    await expect(status).toHaveText('空闲');
    await log.getByRole('button', { name: '复制', exact: true }).waitFor();
    expect.soft(await latinTexts(page), 'a conversation').toEqual([]);

    await message.fill('/');
    await page.getByRole('listbox').waitFor();
    expect.soft(await latinTexts(page), 'the commands').toEqual([]);
    for (const command of ['/help', '/nix', '/queue ']) {
      await message.fill(command);
      await message.press('Escape');
      await message.press('Enter');
    }
    await expect(log).toContainText('列出这次对话最近的消息');
    await expect(log).toContainText('没有这个命令。输入 /help 查看全部命令。');
    await expect(log.getByRole('button', { name: '作为文字发送' })).toBeVisible();
  });

  test('no menu and no dialog has a word of English', async ({ page, server, box }) => {
    await writeCodexSession(box.codexHome, box.workDir, ['第一个问题', '问题解决了。']);
    await catalogued(server, 1);
    const open = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
    const dialog = page.getByRole('dialog');
    const speaksChinese = async (what: string) => {
      await expect.soft(dialog.or(page.getByRole('menu')).first()).toBeVisible();
      expect.soft(await latinTexts(page), what).toEqual([]);
    };
    await page.goto(server.loginUrl);
    await page.getByRole('button', { name: '跳过' }).click();
    await open('添加工作区');
    await dialog.getByRole('combobox', { name: '目录' }).fill('/不在');
    await speaksChinese('adding a workspace');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    for (const entry of ['编辑…', '移除…']) {
      await open('demo 的更多操作');
      await speaksChinese('what can be done with a workspace');
      await page.getByRole('menuitem', { name: entry }).click();
      await speaksChinese(entry);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    for (const name of [/^待处理/, /^通知/, '你']) {
      await open(name);
      await speaksChinese(String(name));
      await page.keyboard.press('Escape');
    }

    const session = await server.newSession('demo', { title: '第一个' });
    await page.goto(`${server.url}w/demo/?session=${session}`);
    await open('会话菜单');
    await speaksChinese('what can be done with a session');
    await page.keyboard.press('Escape');
    await open('选择模型和目录…');
    await speaksChinese('a new session');
    await page.keyboard.press('Escape');
    await open('关闭这个会话');
    await page.getByText('已关闭“第一个”').waitFor();
    expect.soft(await latinTexts(page), 'a session is closed').toEqual([]);
    await open('所有会话');
    await dialog.getByRole('row').first().waitFor();
    await speaksChinese('all sessions');
    await dialog.getByRole('button', { name: '“第一个问题”的操作' }).click();
    await speaksChinese('what can be done with a session of the list');
    await page.keyboard.press('Escape');
    await dialog.getByRole('combobox').fill('问题');
    await page.locator('mark').first().waitFor();
    await speaksChinese('what was found');
  });

  test('a stop and a failure of the model are told in Chinese', async ({ page, server, model }) => {
    await page.goto(server.loginUrl);
    await page.getByRole('link', { name: 'demo' }).click();
    const message = page.getByRole('textbox', { name: '消息', exact: true });
    const log = page.getByRole('log', { name: '对话' });
    model.answer([{ call: 'exec_command', args: { cmd: 'true' } }]);
    await message.fill('开始');
    await message.press('Enter');
    await page.getByRole('form', { name: '审批' }).waitFor();
    await page.getByRole('button', { name: '停止', exact: true }).click();
    await expect(log).toContainText('停止。');
    await expect(log).not.toContainText('Stopped');

    model.answer({ status: 401, body: '{"error":{"message":"no such key"}}' });
    await message.fill('再来');
    await message.press('Enter');
    await expect(log).toContainText('模型服务拒绝了凭据，请检查它的 API key。');
    await expect(log).toContainText('no such key');
  });

  test('an address that leads nowhere is answered in Chinese', async ({ page, server }) => {
    await page.goto(server.loginUrl);
    await page.getByRole('link', { name: 'demo' }).waitFor();
    await page.goto(`${server.url}w/nobody/`);
    await expect(page.getByRole('heading')).toHaveText('没有找到');
  });

  test('English is one click away, and stays', async ({ page, server }) => {
    await page.goto(`${server.url}login`);
    await switchTo(page, 'English');
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  });
});

test('switching takes effect at once and loses nothing that was typed', async ({ page, server, model }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}login`);
  await page.getByRole('textbox', { name: 'Password' }).fill('half a pass');
  expect(asked.filter((path) => /\/zh-/.test(path))).toEqual([]);
  await mark(page);
  await switchTo(page, '中文');
  await expect(page.getByRole('textbox', { name: '密码' })).toHaveValue('half a pass');
  expect(await isMarked(page)).toBe(true);
  await switchTo(page, 'English');

  const patch = '*** Begin Patch\n*** Add File: 甲\n+a\n*** End Patch\n';
  model.answer([{ text: '看：\n\n```\nls\n```' }], [{ custom: 'apply_patch', input: patch }]);
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  await view.send('看');
  // or the next message would go into the same turn
  await expect(view.conversation).toContainText('看：');
  await expect(view.status).toHaveText('idle');
  await view.send('写');
  await view.approval.waitFor();
  await view.message.fill('半句话');
  await mark(page);
  await page.getByRole('button', { name: 'You', exact: true }).click();
  await switchTo(page, '中文');
  // what is remembered between renderings follows: Markdown, items, diffs
  await expect(page.getByRole('button', { name: '复制', exact: true })).toBeVisible();
  await expect(page.getByRole('form', { name: '审批' })).toContainText('允许一次');
  expect(await latinTexts(page)).toEqual([]);
  await expect(page.getByRole('textbox', { name: '消息' })).toHaveValue('半句话');
  expect(await isMarked(page)).toBe(true);

  await page.reload();
  await expect(page.getByRole('textbox', { name: '消息' })).toHaveValue('半句话');
});

test('a browser that keeps nothing speaks its language, and the other one until the page is closed', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get: () => {
          throw new DOMException('refused', 'SecurityError');
        },
      });
  });
  await page.goto(`${server.url}login`);
  await switchTo(page, '中文');
  await expect(page.getByRole('textbox', { name: '密码' })).toBeVisible();
});
