/** The programs of the system, by absolute path. */
import { existsSync } from 'node:fs';

/** Where systems keep them; no command may write there. */
const PLACES = [
  ...['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'],
  ...['/run/current-system/sw/bin', '/opt/homebrew/bin'],
];

/**
 * What this server starts for itself is never looked for along PATH: that may name a place in a workspace, where
 * commands write. The usual path where the program is missing, so that starting it fails as that of any other.
 */
export function systemProgram(name: string): string {
  const found = PLACES.map((place) => `${place}/${name}`).find((path) => existsSync(path));
  return found ?? `/usr/bin/${name}`;
}
