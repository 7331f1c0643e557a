import { afterEach, expect, test } from 'vitest';
import { environmentContext } from './environment-context.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** The lines within, on this machine's clock in a zone. */
function told(tz: string, now: string, workspaceDir: string | null = '/w') {
  process.env.TZ = tz;
  const [first, ...lines] = environmentContext({ cwd: '/w', workspaceDir, now: new Date(now) }).split('\n');
  expect([first, lines.pop()]).toEqual(['<environment_context>', '</environment_context>']);
  return lines.map((line) => line.trim());
}

test('the day is the local one, with the zone it is told in', () => {
  expect(told('Asia/Shanghai', '2026-11-30T17:00:00Z')).toEqual([
    '<cwd>/w</cwd>',
    '<shell>bash</shell>',
    '<current_date>2026-12-01</current_date>',
    '<timezone>Asia/Shanghai (UTC+08:00)</timezone>',
  ]);
  expect(told('America/St_Johns', '2026-01-01T03:00:00Z').slice(2)).toEqual([
    '<current_date>2025-12-31</current_date>',
    '<timezone>America/St_Johns (UTC-03:30)</timezone>',
  ]);
  // summer
  expect(told('Europe/Berlin', '2026-07-01T12:00:00Z').at(-1)).toContain('(UTC+02:00)');
});

test('a zone that has no name is told by its offset', () => {
  expect(told('Nonsense/Zone', '2026-11-30T17:00:00Z').at(-1)).toMatch(/^<timezone>(.* \()?UTC[+]00:00\)?</);
});

test('the workspace is told where the session works in a part of it', () => {
  const [last] = told('UTC', '2026-11-30T17:00:00Z', '/srv/a & b').slice(-1);
  expect(last).toBe('<workspace_root>/srv/a &amp; b</workspace_root>');
  expect(told('UTC', '2026-11-30T17:00:00Z', null)).toHaveLength(4);
});
