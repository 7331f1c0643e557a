/** A phone: a touch screen of 390 by 844, and what a person with fingers needs of a page on it. */
import type { CDPSession, Page } from '@playwright/test';

export const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};

/** What a keyboard of Chinese input leaves of the screen. */
export const WITH_KEYBOARD = { width: 390, height: 480 };

/** Notch and home bar of a phone without a button. */
export async function setSafeArea(page: Page, insets: { top: number; bottom: number }): Promise<void> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  // not in the protocol's types yet
  const send = devtools.send as (method: string, params: object) => Promise<unknown>;
  await send.call(devtools, 'Emulation.setSafeAreaInsetsOverride', { insets });
}

/** Everything on the page that is too small to hit, makes the browser zoom, or lies beyond the edge. */
export function complaints(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('.visually-hidden, [inert], [aria-hidden=true]') &&
      element.getBoundingClientRect().width > 1;
    const hits = 'a[href], button, summary, select, input, textarea, [role=option], [role=menuitem]';
    for (const element of document.querySelectorAll(hits)) {
      if (!isShown(element)) continue;
      // a link within a sentence is as high as its line (WCAG 2.5.8)
      if (element.matches('p a, li a, td a') && getComputedStyle(element).display === 'inline') continue;
      const area = element.matches('[type=radio], [type=checkbox]') ? element.closest('label') : element;
      const { width, height } = (area ?? element).getBoundingClientRect();
      if ((width < 43.5 || height < 43.5) && !isHitAround(element))
        found.push(`${nameOf(element)} is ${Math.round(width)} × ${Math.round(height)}`);
    }
    for (const field of document.querySelectorAll('input, textarea, select')) {
      const size = Number.parseFloat(getComputedStyle(field).fontSize);
      if (isShown(field) && size < 16) found.push(`${nameOf(field)} has text of ${size} px`);
    }
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > room) found.push('the page scrolls sideways');
    for (const element of document.body.querySelectorAll('*')) {
      if (!isShown(element) || scrollsSideways(element.parentElement)) continue;
      const { left, right } = element.getBoundingClientRect();
      if (left < -1 || right > room + 1)
        found.push(`${nameOf(element)} lies from ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;

    /** What is made larger by something unseen. */
    function isHitAround(element: Element): boolean {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const around = [
        [x - 21, y],
        [x + 21, y],
        [x, y - 21],
        [x, y + 21],
      ] as const;
      return around.every(([atX, atY]) => element.contains(document.elementFromPoint(atX, atY)));
    }

    function scrollsSideways(element: Element | null): boolean {
      if (!element) return false;
      return getComputedStyle(element).overflowX !== 'visible' || scrollsSideways(element.parentElement);
    }
  });
}
