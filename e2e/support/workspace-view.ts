/** A workspace in a browser: its parts by the names that people find them under. */
import type { FrameLocator, Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';

export class WorkspaceView {
  readonly sessions: Locator;
  readonly conversation: Locator;
  readonly message: Locator;
  readonly status: Locator;
  readonly stop: Locator;
  readonly approval: Locator;
  readonly question: Locator;
  readonly board: Locator;
  /** The board's own page. */
  readonly boardPage: FrameLocator;

  constructor(readonly page: Page) {
    this.sessions = page.getByRole('tablist', { name: 'Sessions' });
    this.conversation = page.getByRole('log', { name: 'Conversation' });
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
    this.status = page.getByRole('status', { name: 'Session status' });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.approval = page.getByRole('form', { name: 'Approval' });
    this.question = page.getByRole('form', { name: 'Question' });
    this.board = page.getByRole('region', { name: 'Board' });
    this.boardPage = this.board.frameLocator('iframe[title=Board]');
  }

  /** Logs in by the link that the server prints and goes to a session, or to where the workspace leads. */
  static async open(page: Page, server: RunningServer, session?: string): Promise<WorkspaceView> {
    const place = `/w/demo/${session ? `?session=${session}` : ''}`;
    await page.goto(`${server.url}login?next=${encodeURIComponent(place)}#token=${server.token}`);
    const view = new WorkspaceView(page);
    await view.message.waitFor();
    return view;
  }

  /** The messages that wait. */
  waiting(mode: 'steer' | 'queue'): Locator {
    return this.page.getByRole('group', { name: `Waiting: ${mode}` });
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  /** How the next messages go while something runs. */
  async choose(mode: 'Steer' | 'Queue'): Promise<void> {
    await this.page.getByRole('button', { name: mode, exact: true }).click();
  }

  async allowOnce(): Promise<void> {
    await this.approval.getByRole('button', { name: 'Allow once' }).click();
  }
}
