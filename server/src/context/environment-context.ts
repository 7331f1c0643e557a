export type Surroundings = {
  cwd: string;
  /** Of the workspace; null while that is gone. */
  workspaceDir: string | null;
  now: Date;
};

/**
 * Where and when the agent works, in the form Codex tells it. Day and zone are those of this machine, whose clock the
 * commands read as well; what they may touch is told with the permissions.
 */
export function environmentContext({ cwd, workspaceDir, now }: Surroundings): string {
  const workspace = workspaceDir === null || workspaceDir === cwd ? null : workspaceDir;
  return [
    '<environment_context>',
    `  <cwd>${escapeXml(cwd)}</cwd>`,
    // what `exec_command` runs a line with, whatever the user's own shell is
    '  <shell>bash</shell>',
    `  <current_date>${localDate(now)}</current_date>`,
    `  <timezone>${escapeXml(localZone(now))}</timezone>`,
    // where the session works in a part of it
    ...(workspace === null ? [] : [`  <workspace_root>${escapeXml(workspace)}</workspace_root>`]),
    '</environment_context>',
  ].join('\n');
}

function localDate(now: Date): string {
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Its name, where TZ or the system has one for it, and its offset on that day. */
function localZone(now: Date): string {
  const name: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const minutes = -now.getTimezoneOffset();
  const [sign, hours, rest] = [minutes < 0 ? '-' : '+', Math.abs(minutes) / 60, Math.abs(minutes) % 60];
  const offset = `UTC${sign}${two(Math.floor(hours))}:${two(rest)}`;
  return name === undefined || name === 'Etc/Unknown' ? offset : `${name} (${offset})`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}

/** For text and double-quoted attributes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
