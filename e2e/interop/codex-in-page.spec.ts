/** A session on the real Codex as people see it: it streams, asks before it acts, and asks a question. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Gate } from '../support/gate.ts';
import { look } from '../support/look.ts';
import { WorkspaceView } from '../support/workspace-view.ts';
import { askingSession, configure, KNOWN_MODEL, test } from './codex-stage.ts';

test('in the page Codex streams, asks before a command and a patch, and asks a question', async ({
  box,
  model,
  page,
  serveWithCodex,
}, info) => {
  await configure(box, (config) => config.replace('"scripted"', JSON.stringify(KNOWN_MODEL)));
  const server = await serveWithCodex();
  const view = await WorkspaceView.open(page, server, await askingSession(server));
  const { approval, conversation, question } = view;

  const gate = new Gate();
  model.announces = true;
  model.answer(
    [{ text: 'First I make ' }, { wait: gate.opened }, { text: 'a directory.' }, command('mkdir -p made')],
    [patch('*** Add File: notes.txt', '+first line', '+second line')],
    [{ call: 'request_user_input', args: { questions: [COLOUR] } }],
    [{ text: 'Blue it is.' }],
  );
  await view.send('do all of it');
  await expect(conversation).toContainText('First I make');
  await expect(conversation).not.toContainText('a directory.');
  gate.open();

  await expect(approval).toContainText('mkdir -p made');
  await expect(conversation).toContainText('First I make a directory.');
  await look(page, info, 'codex-command');
  await view.allowOnce();

  await expect(approval).toContainText('notes.txt');
  await expect(approval).toContainText('second line');
  await look(page, info, 'codex-patch');
  await view.allowOnce();

  await expect(question).toContainText('Which colour?');
  await look(page, info, 'codex-question');
  await question.getByRole('radio', { name: /^Blue/ }).check();
  await question.getByRole('button', { name: 'Submit' }).click();
  await expect(conversation).toContainText('Blue it is.');
  expect(await readFile(join(box.workDir, 'notes.txt'), 'utf8')).toBe('first line\nsecond line\n');
  await look(page, info, 'codex-done');
});

const COLOUR = {
  id: 'colour',
  header: 'Colour',
  question: 'Which colour?',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cool' },
  ],
};

function command(cmd: string) {
  return { call: 'exec_command', args: { cmd } };
}

function patch(...lines: string[]) {
  return { custom: 'apply_patch', input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') };
}
