/** What is printed on stdout once the server listens. The only place where the token is ever shown. Pure. */
import { isIP } from 'node:net';
import type { WorkspaceSummary } from '@tscodex/shared/workspace';

/** The address people open: behind a proxy its own, else the one listened on. Ends with a slash. */
export function serverUrl(options: {
  host: string;
  port: number;
  machineName: string;
  basePath: string;
  publicUrl: URL | null;
}): string {
  const { host, port, machineName, basePath, publicUrl } = options;
  if (publicUrl) return publicUrl.href.replace(/\/?$/, '/');
  const name = host === '0.0.0.0' || host === '::' ? machineName : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}${basePath}/`;
}

/** `token` is null where a password is asked for or nothing is. */
export function startUpLines(options: {
  version: string;
  url: string;
  auth: boolean;
  token: string | null;
  /** Whether commands are confined, in a line. */
  sandbox: string;
  workspaces: readonly WorkspaceSummary[];
}): string[] {
  const { version, url, auth, token, sandbox, workspaces } = options;
  // in the fragment, so that it reaches no server and no proxy's log
  const fragment = token === null ? '' : `#token=${token}`;
  return [
    `tscodex-ws ${version}`,
    auth ? `Open ${url}login${fragment}` : `Open ${url} (no login is asked for)`,
    sandbox,
    ...workspaces.map(({ id, dir, problem }) => `  ${id}: ${problem ? `broken: ${problem.message}` : dir}`),
  ];
}
