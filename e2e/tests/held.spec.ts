/** A session that another program writes, in the page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test('what another program writes can be read along, and gone on with once it has ended', async ({
  page,
  server,
  model,
  box,
}) => {
  model.answer([{ text: 'Hello.' }]);
  const session = await server.newSession();
  await server.send(session, 'hi');
  await server.idle(session);
  await server.api('DELETE', `api/sessions/${session}`);
  const lock = join(box.codexHome, 'thread-writer-locks', `${session}.lock`);
  const other = spawn('sh', ['-c', 'exec 9>>"$1"; flock 9; echo held; exec cat', 'sh', lock], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  await server.api('POST', 'api/workspaces/demo/sessions', { resume: session });
  const view = await WorkspaceView.open(page, server, session);
  await view.conversation.getByText('Hello.').waitFor();
  await expect(page.getByRole('note')).toContainText(`(process ${other.pid}) is writing this session`);
  await expect(view.message).toBeDisabled();
  other.kill('SIGKILL');
  model.answer([{ text: 'Welcome back.' }]);
  await expect(page.getByRole('note')).toHaveCount(0);
  await view.send('again');
  await expect(view.conversation).toContainText('Welcome back.');
});
