/**
 * Which `Host` and `Origin` a request may carry. The Host check stops DNS rebinding, the Origin check stops
 * other web sites from acting with this browser's login. Pure.
 */
import { isIP } from 'node:net';

export type HostPolicy = {
  /** Names of this machine and those given by `--allowed-host`, lower case. */
  names: ReadonlySet<string>;
  /** `--public-url`: where a proxy serves this server. */
  publicUrl: URL | null;
};

/** What the policy accepts besides IP literals and localhost: the machine's names and what the flags add. */
export function hostPolicy(options: {
  machineName: string;
  allowedHosts: readonly string[];
  publicUrl: URL | null;
}): HostPolicy {
  const machine = options.machineName.toLowerCase();
  const names = [machine, machine.split('.')[0] ?? machine, ...options.allowedHosts];
  return {
    names: new Set(names.map((name) => (parseHost(name)?.hostname ?? name).toLowerCase())),
    publicUrl: options.publicUrl,
  };
}

/** Whether a `Host` header names this server. The port is ignored: a tunnel may change it. */
export function hostAllowed(policy: HostPolicy, host: string | undefined): boolean {
  const name = parseHost(host)?.hostname;
  if (name === undefined) return false;
  if (isIP(name.replace(/^\[|\]$/g, '')) > 0) return true;
  return name === 'localhost' || policy.names.has(name) || policy.publicUrl?.hostname === name;
}

/** Whether an `Origin` header is the page's own: the request's host and port, or the public URL. */
export function originAllowed(policy: HostPolicy, origin: string, host: string | undefined): boolean {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (policy.publicUrl?.origin === from.origin) return true;
  // parsed with the origin's own scheme, so that a default port equals no port
  return parseHost(host, from.protocol)?.host === from.host;
}

/** A `Host` header as the URL parser understands it; null when it is not one host and port. */
function parseHost(host: string | undefined, protocol = 'http:'): URL | null {
  if (host === undefined || host === '' || /[\s/\\?#@]/.test(host)) return null;
  const text = `${protocol}//${host}`;
  return URL.canParse(text) ? new URL(text) : null;
}
