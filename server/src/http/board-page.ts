/** What the board's frame shows: the agents' HTML with one script of ours, or a placeholder. */
import { messagePage } from './message-page.ts';
import type { PageLanguage } from './page-language.ts';

/**
 * Keeps the scroll position over reloads. An opaque origin has no storage, so the page around it remembers:
 * the board posts `{type: 'tscodex.board.scroll', x, y}` when it was scrolled and `{type: 'tscodex.board.ready'}`
 * when it has loaded; the page answers the latter with `{type: 'tscodex.board.scrollTo', x, y}`.
 */
const SCROLL_SCRIPT = `<script>(() => {
  const post = (message) => parent.postMessage(message, '*');
  addEventListener('scroll', () => post({ type: 'tscodex.board.scroll', x: scrollX, y: scrollY }), { passive: true });
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.type === 'tscodex.board.scrollTo') scrollTo(data.x, data.y);
  });
  addEventListener('load', () => post({ type: 'tscodex.board.ready' }));
})()</script>`;

/** Right after the doctype: at the end, an unclosed tag or comment of the board would swallow the script. */
export function boardPage(html: string): string {
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return doctype + SCROLL_SCRIPT + html.slice(doctype.length);
}

const placeholder: Record<PageLanguage, { title: string; text: string }> = {
  en: {
    title: 'No board yet',
    text: 'When an agent writes this workspace’s board, it appears here and keeps itself up to date.',
  },
  zh: { title: '还没有看板', text: '智能体写好这个工作区的看板后，它会显示在这里，并自动更新。' },
};

/** Shown while there is no board. */
export function boardPlaceholder(language: PageLanguage): string {
  return messagePage({
    language,
    ...placeholder[language],
    icon: '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3.5" y="4" width="17" height="16" rx="2.5"/><path d="M7.5 9h6M7.5 12.5h9M7.5 16h4"/></svg>\n',
  });
}
