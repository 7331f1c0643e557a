/** How a page looks, in both colour schemes and on a phone: pictures for people, and axe for what can be measured. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';

// wide last: axe looks at the whole workspace
const sizes = { phone: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } };

/**
 * Takes a picture of what is there in each scheme and size; measures colours and layout. `tolerated`: what axe finds
 * of this weight is passed over.
 */
export async function look(
  page: Page,
  info: TestInfo,
  name: string,
  tolerated: readonly string[] = ['minor', 'moderate'],
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      // nobody sees them there
      if (!process.env.CI)
        await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${size}.png`) });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflow, `${name} is wider than its window, ${size}`).toBeLessThanOrEqual(0);
    }
    // the board is left out: it is the agent's page
    const axe = new AxeBuilder({ page }).exclude('iframe');
    // all but the colours is the same in both
    if (colorScheme === 'dark') axe.withRules(['color-contrast']);
    expect.soft(await broken(axe, tolerated), `${name}, ${colorScheme}`).toEqual([]);
  }
}

/** Each rule that is broken, and where. */
async function broken(axe: AxeBuilder, tolerated: readonly string[]): Promise<string[][]> {
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => !tolerated.includes(impact ?? 'minor'))
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}
