/**
 * The confinement of macOS: a profile for `sandbox-exec`. Experimental: it is built by what is known of the system,
 * and holds only where the probe has seen it hold. There is no namespace of processes there.
 */
import { type Place, placeOf } from './mount-plan.ts';

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

const BASE = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow file-read*)
(allow file-write-data (require-all (path "/dev/null") (vnode-type CHARACTER-DEVICE)))
(allow pseudo-tty)
(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))
(allow file-read* file-write* file-ioctl (regex #"^/dev/ttys[0-9]+"))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow user-preference-read)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.PowerManagement.control")
  (global-name "com.apple.cfprefsd.daemon")
  (global-name "com.apple.cfprefsd.agent"))
`;

const NETWORK = `(allow network-outbound network-inbound)
(allow system-socket)
(allow mach-lookup
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.networkd")
  (global-name "com.apple.trustd.agent")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.SystemConfiguration.DNSConfiguration"))
`;

export type Seatbelt = { plan: readonly Place[]; network: boolean; unixSockets: boolean };

/** The program and its arguments, with the places as parameters, so that no path is read as part of the profile. */
export function seatbeltArgv(
  argv: readonly [string, ...string[]],
  seatbelt: Seatbelt,
): [string, ...string[]] {
  const parameters = seatbelt.plan.map(({ path }, i) => `-DPLACE_${i}=${path}`);
  return [SANDBOX_EXEC, '-p', seatbeltProfile(seatbelt), ...parameters, '--', ...argv];
}

/** The rules that come later win, so the places stand as they are mounted elsewhere: the deepest last. */
export function seatbeltProfile({ plan, network, unixSockets }: Seatbelt): string {
  return [
    BASE,
    network ? NETWORK : '',
    unixSockets && !network ? '(allow network* (local unix-socket) (remote unix-socket))\n' : '',
    ...plan.map((place, i) => rule(place, i, plan)),
  ].join('');
}

function rule({ path, access }: Place, i: number, plan: readonly Place[]): string {
  const place = `(subpath (param "PLACE_${i}"))`;
  if (access === 'write') return `(allow file-read* file-write* ${place})\n`;
  if (access === 'shown') return `(allow file-read* ${place})\n(deny file-write* ${place})\n`;
  if (access === 'hidden') return `(deny file-read* file-write* ${place})\n`;
  const around = placeOf(path, plan.slice(0, i));
  return around?.access === 'write' ? `(deny file-write* ${place})\n` : '';
}
