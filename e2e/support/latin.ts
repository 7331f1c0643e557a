/** What is written in Latin letters on a page that speaks Chinese. */
import type { Page } from '@playwright/test';

/** Names, keys and the like: the same in every language. */
const NAMES =
  /\b(Codex|codex exec|npm install -g @openai|PATH|config\.toml|codex_bin|tscodex|demo|scripted|workspace-1|HTML|JSON|AI|API key|workspaces\.json|Alt|Esc|Enter|Tab|Ctrl|KiB|MiB|Markdown|Host|WebSocket|token|shell)\b/g;

/** Each text and label with a Latin word in it; code, what agents and people wrote, and other languages aside. */
export async function latinTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const elsewhere = 'code, pre, kbd, script, style, iframe, [lang]:not(html)';
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && !parentElement.closest(elsewhere)) found.push(textContent ?? '');
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      if (!element.closest(elsewhere) && !element.querySelector(':scope > code'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
          found.push(element.getAttribute(name) ?? '');
    return found;
  });
  // a path is no sentence
  const words = texts.map((text) => text.replaceAll(/~?\/[\w./-]+/g, '').replaceAll(NAMES, ''));
  return [...new Set(words.filter((text) => /[A-Za-z]{2}/.test(text)).map((text) => text.trim()))];
}
