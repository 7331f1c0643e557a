/** A person at a browser of their own: logged in, named, with a workspace open. */
import type { Browser, Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';
import { WorkspaceView } from './workspace-view.ts';

export class Person {
  private constructor(
    readonly view: WorkspaceView,
    readonly page: Page,
  ) {}

  static async at(browser: Browser, server: RunningServer, session: string, name?: string): Promise<Person> {
    const context = await browser.newContext();
    return Person.on(await context.newPage(), server, session, name);
  }

  static async on(page: Page, server: RunningServer, session: string, name?: string): Promise<Person> {
    const person = new Person(await WorkspaceView.open(page, server, session), page);
    if (name !== undefined) {
      await person.nameField.fill(name);
      await person.card.getByRole('button', { name: 'Save' }).click();
      await person.card.waitFor({ state: 'detached' });
    }
    return person;
  }

  /** What asks for the name. */
  get card(): Locator {
    return this.page.getByRole('complementary', { name: 'What should the others call you?' });
  }

  get nameField(): Locator {
    return this.card.getByRole('textbox');
  }

  /** The faces in the header, by the names they are read out with. */
  get faces(): Locator {
    return this.page.getByRole('main').getByRole('button', { name: /^\d+ (person|people) here: / });
  }

  /** Calls oneself something else. */
  async rename(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^You/ }).click();
    const menu = this.page.getByRole('dialog', { name: 'You' });
    await menu.getByRole('textbox', { name: 'Your name' }).fill(name);
    await menu.getByRole('textbox', { name: 'Your name' }).press('Enter');
    await menu.waitFor({ state: 'detached' });
  }

  leave(): Promise<void> {
    return this.page.context().close();
  }
}
