/** O-F2: an Enter that belongs to an input method sends nothing, picks nothing, answers nothing. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

type Enter = { isComposing: boolean; keyCode: number };

/** An Enter as a browser reports it. */
async function enter(field: Locator, init: Enter): Promise<void> {
  await field.evaluate((element, { isComposing, keyCode }) => {
    const event = new KeyboardEvent('keydown', {
      key: 'Enter',
      isComposing,
      bubbles: true,
      cancelable: true,
    });
    Object.defineProperty(event, 'keyCode', { value: keyCode });
    element.dispatchEvent(event);
  }, init);
}

async function composition(field: Locator, type: 'compositionstart' | 'compositionend'): Promise<void> {
  await field.dispatchEvent(type, { data: type === 'compositionend' ? '你' : '', bubbles: true });
}

/** The Enter with which a word of `text` is chosen in Chrome and Firefox, then as Safari tells it. */
async function choosesWord(field: Locator, text: string): Promise<void> {
  await composition(field, 'compositionstart');
  await field.fill(text);
  await enter(field, { isComposing: true, keyCode: 229 });
  await composition(field, 'compositionend');

  await composition(field, 'compositionstart');
  await composition(field, 'compositionend');
  await enter(field, { isComposing: false, keyCode: 229 });
}

const plainEnter: Enter = { isComposing: false, keyCode: 13 };

/** Types with the browser's own input method: `text` is underlined until the word is chosen with Enter. */
async function withInputMethod(page: Page, field: Locator, text: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await field.focus();
  const selection = { selectionStart: text.length, selectionEnd: text.length };
  await browser.send('Input.imeSetComposition', { text, ...selection });
  const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 229 };
  await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  await browser.send('Input.insertText', { text });
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  await browser.detach();
}

test('the composer', async ({ page, server, model }) => {
  const view = await WorkspaceView.open(page, server);
  await choosesWord(view.message, '你');
  await expect(view.message).toHaveValue('你');
  await view.message.press('Shift+Enter');
  await expect(view.message).toHaveValue('你\n');
  await view.message.fill('你');
  await withInputMethod(page, view.message, '好');
  await expect(view.message).toHaveValue('你好');
  expect(await server.workspaces()).toMatchObject([{ sessions: [] }]);

  await enter(view.message, plainEnter);
  await expect(view.message).toHaveValue('');
  await expect(view.conversation).toContainText('OK.');
  await expect(view.conversation.locator('[data-item=userMessage]')).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test('the composer with the list of commands open', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server);
  const commands = page.getByRole('listbox', { name: 'Commands' });
  await choosesWord(view.message, '/h');
  await expect(commands.getByRole('option')).toHaveCount(2);
  await expect(view.message).toHaveValue('/h');
  await view.message.fill('');
  await withInputMethod(page, view.message, '/h');
  await expect(commands).toBeVisible();
  await expect(view.message).toHaveValue('/h');

  await enter(view.message, plainEnter);
  await expect(view.message).toHaveValue('/help');
  await expect(commands).toHaveCount(0);
  expect(await server.workspaces()).toMatchObject([{ sessions: [] }]);
});

test("the field for one's own answer to a question", async ({ page, server, model }) => {
  const question = { id: 'name', header: 'Name', question: 'What is it called?', options: [] };
  model.answer([{ call: 'request_user_input', args: { questions: [question] } }], [{ text: 'Thanks.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('ask me');
  const field = view.question.getByRole('textbox', { name: /What is it called/ });
  await choosesWord(field, '你');
  await withInputMethod(page, field, '好');
  await expect(field).toHaveValue('你好');
  await field.press('Shift+Enter');
  await expect(field).toHaveValue('你好\n');
  await expect(view.status).toContainText('waiting for you');
  expect(model.requests).toHaveLength(1);

  await field.fill('你好');
  await enter(field, plainEnter);
  await expect(view.conversation).toContainText('Thanks.');
  expect(JSON.stringify(model.requests[1]?.input.at(-1))).toContain('你好');
});

test('the composer while it answers a question', async ({ page, server, model }) => {
  const question = { id: 'name', header: 'Name', question: 'What is it called?', options: [] };
  model.answer([{ call: 'request_user_input', args: { questions: [question] } }], [{ text: 'Thanks.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('ask me');
  await expect(view.question).toBeVisible();
  await choosesWord(view.message, '你');
  await withInputMethod(page, view.message, '好');
  await expect(view.message).toHaveValue('你好');
  await expect(view.question).toBeVisible();
  expect(model.requests).toHaveLength(1);

  await enter(view.message, plainEnter);
  await expect(view.conversation).toContainText('Thanks.');
  expect(JSON.stringify(model.requests[1]?.input.at(-1))).toContain('你好');
});

test('the reason for declining', async ({ page, server, model }) => {
  model.answer([{ call: 'exec_command', args: { cmd: 'touch here' } }], [{ text: 'As you wish.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('touch it');
  await view.approval.getByRole('button', { name: 'Decline and say why…' }).click();
  const reason = page.getByRole('textbox', { name: 'Why, and what to do instead' });
  await choosesWord(reason, '你');
  await withInputMethod(page, reason, '好');
  await expect(reason).toHaveValue('你好');
  await reason.press('Shift+Enter');
  await expect(reason).toHaveValue('你好\n');
  await expect(view.approval).toBeVisible();
  expect(model.requests).toHaveLength(1);

  await enter(reason, plainEnter);
  await expect(view.conversation).toContainText('As you wish.');
  expect(JSON.stringify(model.requests[1]?.input.at(-1))).toContain('你好');
});

test('a digit that an input method takes decides nothing', async ({ page, server, model }) => {
  model.answer([{ call: 'exec_command', args: { cmd: 'touch here' } }], [{ text: 'As you wish.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('touch it');
  await expect(view.approval).toBeVisible();
  await view.approval.evaluate((form) => {
    const event = new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true });
    Object.defineProperty(event, 'keyCode', { value: 229 });
    form.dispatchEvent(event);
  });
  await expect(view.approval.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await view.message.fill('1');
  await expect(view.approval).toBeVisible();
  expect(model.requests).toHaveLength(1);
});
