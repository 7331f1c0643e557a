/** In the place of the browser's notifications: what a page has shown, and what it has asked for. */
import type { BrowserContext, Page } from '@playwright/test';

export type Shown = { title: string; body: string; tag: string };

type Stub = { shown: (Shown & { onclick?: () => void })[]; asked: number };

/** Call it before any page is opened. `answer`: what the person says when the browser asks. */
export async function fakeNotifications(
  context: BrowserContext,
  answer: 'granted' | 'denied',
  permission: 'default' | 'granted' | 'denied' = 'default',
): Promise<void> {
  await context.addInitScript(
    ([said, before]) => {
      const stub: Stub = { shown: [], asked: 0 };
      class FakeNotification {
        static permission = before;
        static async requestPermission() {
          stub.asked += 1;
          FakeNotification.permission = said;
          return said;
        }
        onclick?: () => void;
        body: string;
        tag: string;
        constructor(
          readonly title: string,
          options: { body: string; tag: string },
        ) {
          this.body = options.body;
          this.tag = options.tag;
          stub.shown.push(this);
        }
        close() {
          // it is kept, to be looked at
        }
      }
      Object.assign(window, { Notification: FakeNotification, stub });
    },
    [answer, permission] as const,
  );
}

const stubOf = () => (window as unknown as { stub: Stub }).stub;

/** What was shown, in order; the sample that switching them on shows is left out. */
export function shownOn(page: Page): Promise<string[]> {
  return page.evaluate(
    `(${stubOf})().shown.filter((one) => one.tag !== 'sample').map((one) => one.title + ' | ' + one.body)`,
  );
}

export function askedOn(page: Page): Promise<number> {
  return page.evaluate(`(${stubOf})().asked`);
}

/** A click on the notification that came last. */
export async function clickLast(page: Page): Promise<void> {
  await page.evaluate(`(${stubOf})().shown.at(-1).onclick()`);
}
