/** A page that says one thing: an error, a board that is not there yet. Self-contained, light and dark. */
import type { PageLanguage } from './page-language.ts';

export function messagePage({
  language,
  title,
  text,
  icon = '',
  link,
}: {
  language: PageLanguage;
  title: string;
  text: string;
  icon?: string;
  /** Where one can go from here. */
  link?: { href: string; words: string } | undefined;
}): string {
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>
  :root { --page: #fbfbfa; --ink: #1d1d1b; --quiet: #63635e; --line: #d9d8d3; }
  @media (prefers-color-scheme: dark) { :root { --page: #191918; --ink: #ecebe6; --quiet: #a5a49d; --line: #3a3a37; } }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; justify-items: center; gap: .6rem;
    padding: 2rem; box-sizing: border-box; text-align: center; background: var(--page); color: var(--ink);
    font: 15px/1.5 "Inter Variable", Inter, system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
  svg { width: 44px; height: 44px; margin-bottom: .4rem; fill: none; stroke: var(--line); stroke-width: 1.5;
    stroke-linecap: round; stroke-linejoin: round; }
  h1 { margin: 0; font-size: 1.1rem; font-weight: 600; }
  a { color: inherit; }
  p { margin: 0; max-width: 36rem; color: var(--quiet); overflow-wrap: anywhere; }
</style>
</head>
<body>
${icon}<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.words)}</a></p>` : ''}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
}
