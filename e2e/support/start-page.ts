/** The start page in a browser: its parts by the names that people find them under. */
import type { Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';

export class StartPage {
  readonly names: Locator;
  readonly add: Locator;
  readonly dialog: Locator;
  readonly inbox: Inbox;

  constructor(readonly page: Page) {
    this.names = page.getByRole('main').getByRole('heading', { level: 3 });
    this.add = page.getByRole('button', { name: 'Add a workspace' });
    this.dialog = page.getByRole('dialog');
    this.inbox = new Inbox(page);
  }

  /** Logs in by the link that the server prints; `name`: what the others call whoever sits here. */
  static async open(page: Page, server: RunningServer, name = 'Ada'): Promise<StartPage> {
    await page.goto(server.loginUrl);
    const start = new StartPage(page);
    await start.add.waitFor();
    await callYourself(page, name);
    return start;
  }

  card(name: string): Locator {
    const heading = this.page.getByRole('heading', { level: 3, name, exact: true });
    return this.page.getByRole('main').getByRole('listitem').filter({ has: heading });
  }

  field(name: 'Name' | 'Directory' | 'Board'): Locator {
    return this.dialog.getByLabel(name, { exact: true });
  }

  async choose(name: string, entry: string): Promise<void> {
    await this.page.getByRole('button', { name: `More about ${name}`, exact: true }).click();
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click();
  }
}

/** What waits, wherever it is listed. */
export class Inbox {
  readonly button: Locator;
  readonly panel: Locator;
  readonly rows: Locator;

  constructor(page: Page) {
    this.button = page.getByRole('button', { name: /^Inbox/ });
    this.panel = page.getByRole('dialog', { name: 'Inbox' });
    this.rows = page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem');
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }
}

/** Gives whoever sits at a page that has logged in the name the others see. */
export async function callYourself(page: Page, name: string): Promise<void> {
  await page.evaluate(async (name) => {
    const answer = await fetch(new URL('api/me', document.baseURI), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (!answer.ok) throw new Error(`PUT api/me: ${answer.status}`);
  }, name);
}
