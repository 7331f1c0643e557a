/** What an MCP server of the real Codex asks people: by a form, and by a page of its own. */
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { answered } from '../support/conversation.ts';
import { look } from '../support/look.ts';
import { WorkspaceView } from '../support/workspace-view.ts';
import { answer, asking, askingSession, configure, test } from './codex-stage.ts';
import { told } from './stage.ts';

const script = join(import.meta.dirname, 'form-server.mjs');
const call = (id: string, args: object) => ({
  item: {
    ...{ type: 'function_call', id: `fc_${id}`, call_id: `call_${id}` },
    ...{ name: 'ask', namespace: 'mcp__forms', arguments: JSON.stringify(args) },
  },
});

test('a form and a page of an MCP server are answered here, declined, and checked', async ({
  box,
  model,
  page,
  serveWithCodex,
}, info) => {
  const command = `command = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(script)}]\n`;
  await configure(box, (config) => `${config}\n[mcp_servers.forms]\n${command}`);
  const server = await serveWithCodex();
  const id = await askingSession(server);
  model.answer([call('a', {})], [call('b', {})], [call('c', { page: true })], [{ text: 'All asked.' }]);
  await server.send(id, 'ask them');
  const form = await asking(server, id);
  expect(form).toMatchObject({
    kind: 'question',
    from: { server: 'forms', message: 'Where shall it go?' },
    // Codex has them in the order of their names
    questions: [
      { question: 'How many copies?', field: { type: 'integer', least: 1, most: 9 } },
      { question: 'Express', field: { type: 'boolean' } },
      { question: 'Name', field: { type: 'text', least: 2 } },
      { question: 'Note', optional: true },
      { question: 'size', options: [{ label: 'Small' }, { label: 'Large' }], allowOther: false },
    ],
  });

  const view = await WorkspaceView.open(page, server, id);
  await expect(view.question).toContainText('forms asks:');
  const field = (name: string) => view.question.getByRole('textbox', { name: `Your own answer to: ${name}` });
  await field('Name').fill('Ada');
  await field('How many copies?').fill('12');
  await view.question.getByRole('radio', { name: 'Yes' }).check();
  await view.question.getByRole('radio', { name: 'Large' }).check();
  await look(page, info, 'form');
  await view.question.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('it has to be a whole number, from 1 to 9')).toBeVisible();
  await field('How many copies?').fill('2');
  await view.question.getByRole('button', { name: 'Submit' }).click();

  await expect(view.question.getByRole('button', { name: 'Submit' })).toBeDisabled();
  expect(told(model.requests.at(-1)).at(-1)).toContain(
    JSON.stringify({ action: 'accept', content: { copies: 2, express: true, name: 'Ada', size: 'l' } }),
  );
  await view.question.getByRole('button', { name: 'Decline' }).click();

  await expect(view.question.getByRole('link')).toHaveAttribute('href', 'https://example.org/login');
  await look(page, info, 'page');
  expect(told(model.requests.at(-1)).at(-1)).toContain('{"action":"decline"}');
  await answer(server, id, await asking(server, id), { answers: {} });
  await server.until(id, (state) => answered(state).includes('All asked.'));
  expect(told(model.requests.at(-1)).at(-1)).toContain('{"action":"accept"');
});
