/** The list of all sessions, by the names that people find its parts under. */

import { expect, type Locator, type Page } from '@playwright/test';
import type { CatalogPage } from '@tscodex/shared/catalog';
import type { RunningServer } from './server.ts';

/** Waits until the server has read the files of so many sessions. */
export async function catalogued(server: RunningServer, count: number): Promise<void> {
  const listed = async () => (await server.api<CatalogPage>('GET', 'api/catalog')).sessions.length;
  await expect.poll(listed).toBe(count);
}

export class AllSessions {
  readonly field: Locator;
  readonly lines: Locator;

  constructor(readonly page: Page) {
    const dialog = page.getByRole('dialog', { name: 'All sessions' });
    this.field = dialog.getByRole('combobox', { name: 'Search titles and what was said' });
    this.lines = dialog.getByRole('row');
  }

  /** By its button. */
  static async open(page: Page): Promise<AllSessions> {
    await AllSessions.button(page).click();
    return new AllSessions(page);
  }

  static button(page: Page): Locator {
    return page.getByRole('button', { name: 'All sessions' });
  }

  line(text: string): Locator {
    return this.lines.filter({ hasText: text });
  }

  async choose(line: string, action: string): Promise<void> {
    await this.line(line).getByRole('button', { name: 'What to do with' }).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }
}
