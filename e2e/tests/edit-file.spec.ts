/** A model edits real files: what the page shows is what is on disk. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

function git(dir: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  return execFileSync('git', [...identity, ...args], { cwd: dir, encoding: 'utf8' });
}

test.beforeEach(async ({ box }) => {
  await writeFile(join(box.workDir, 'a.txt'), 'one\nkept\n');
  await writeFile(join(box.workDir, 'b.txt'), 'two\n');
  git(box.workDir, 'init', '--quiet');
  git(box.workDir, 'add', '--all');
  git(box.workDir, 'commit', '--quiet', '--message', 'start');
});

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const goodPatch = patch('*** Update File: a.txt', '@@', '-one', '+ONE', ' kept');

test('an allowed patch is on disk as the page shows it', async ({ page, box, server, model }) => {
  model.answer([{ custom: 'apply_patch', input: goodPatch }], [{ text: 'Changed.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('shout');

  await expect(view.approval).toContainText('Change this file?');
  await expect(view.approval.getByRole('region', { name: /^Changes of .*a\.txt/ })).toContainText('ONE');
  expect(git(box.workDir, 'status', '--porcelain')).toBe('');
  await view.allowOnce();

  const card = view.conversation.getByRole('button', { name: /^Edited.*a\.txt/ });
  await expect(card).toContainText('+1');
  await expect(card).toContainText('−1');
  const diff = view.conversation.getByRole('region', { name: /^Changes of .*a\.txt/ });
  await expect(diff.getByRole('row')).toHaveText([/one$/, /ONE$/, /kept$/]);
  await expect(view.conversation).toContainText('Changed.');
  expect(await readFile(join(box.workDir, 'a.txt'), 'utf8')).toBe('ONE\nkept\n');
  expect(git(box.workDir, 'diff', '--numstat')).toBe('1\t1\ta.txt\n');
});

test('a declined patch changes nothing, and the model reads why', async ({ page, box, server, model }) => {
  model.answer([{ custom: 'apply_patch', input: goodPatch }], [{ text: 'As you wish.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('shout');
  await view.approval.getByRole('button', { name: 'Decline and say why…' }).click();
  await page.getByRole('textbox', { name: 'Why, and what to do instead' }).fill('Whisper instead.');
  await page.getByRole('button', { name: 'Decline with this reason' }).click();

  await expect(view.conversation).toContainText('As you wish.');
  await expect(view.conversation).toContainText('Not applied');
  expect(JSON.stringify(model.requests[1]?.input.at(-1))).toContain('Whisper instead.');
  expect(git(box.workDir, 'status', '--porcelain')).toBe('');
});

test('O-A8: where one file of a patch does not fit, none is changed', async ({
  page,
  box,
  server,
  model,
}) => {
  const input = patch(
    ...['*** Update File: a.txt', '@@', '-one', '+ONE'],
    ...['*** Update File: b.txt', '@@', '-missing', '+X'],
    ...['*** Add File: c.txt', '+c'],
  );
  model.answer([{ custom: 'apply_patch', input }], [{ text: 'It did not fit.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('shout');

  await expect(view.conversation).toContainText('It did not fit.');
  const failure = view.conversation.getByRole('paragraph').filter({ hasText: 'Not applied' });
  await expect(failure).toContainText('b.txt');
  await expect(failure).toContainText('missing');
  await expect(view.conversation.getByRole('button', { name: /\b(Edited|Added)\b/ })).toHaveCount(0);
  expect(JSON.stringify(model.requests[1]?.input.at(-1))).toContain('no file was changed');
  expect(git(box.workDir, 'status', '--porcelain')).toBe('');
  expect((await readdir(box.workDir)).filter((name) => name.endsWith('.txt'))).toEqual(['a.txt', 'b.txt']);
});
