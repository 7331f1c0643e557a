import { basename } from 'node:path';

/** Where and when the agent works, in the form Codex tells it: local time with its offset, never bare UTC. */
export function environmentContext({ cwd, now }: { cwd: string; now: Date }): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [
    '<environment_context>',
    `  <cwd>${escapeXml(cwd)}</cwd>`,
    `  <shell>${escapeXml(basename(process.env.SHELL ?? 'bash'))}</shell>`,
    `  <current_date>${localDate(now)}</current_date>`,
    `  <timezone>${escapeXml(zone)}</timezone>`,
    '</environment_context>',
  ].join('\n');
}

function localDate(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** For text and double-quoted attributes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
