// Gets the programs of the system that the tests try our examples and our commands with. The web servers are only
// unpacked, so that no service of theirs starts on this machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Which package has which. */
const INSTALLED = {
  ...{ 'systemd-analyze': 'systemd', man: 'man-db', less: 'less', vi: 'vim-tiny' },
  ...{
    bwrap: 'bubblewrap',
    tmux: 'tmux',
    strace: 'strace',
    curl: 'curl',
    hostname: 'hostname',
    python3: 'python3',
  },
};

/** The tests look here as well. */
const UNPACKED = fileURLToPath(new URL('../node_modules/.cache/system-programs/', import.meta.url));

const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
const has = (program) =>
  directories.some((directory) => existsSync(join(directory, program))) ||
  ['usr/sbin', 'usr/bin'].some((directory) => existsSync(join(UNPACKED, directory, program)));

/** What is missing afterwards makes its own tests fail with the line to run. */
export function systemPrograms() {
  const webServers = ['nginx', 'caddy'].filter((program) => !has(program));
  const asRoot = process.getuid?.() === 0;
  const packages = Object.entries(INSTALLED).flatMap(([program, name]) => (has(program) ? [] : [name]));
  if (webServers.length + packages.length === 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Getting ${[...webServers, ...packages].join(', ')} with apt-get.`);
  if (asRoot) spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  mkdirSync(UNPACKED, { recursive: true });
  for (const program of webServers) {
    const { stdout } = spawnSync('apt-get', ['download', '--print-uris', program], { encoding: 'utf8' });
    const file = /'\S+' (\S+\.deb) /.exec(stdout ?? '')?.[1];
    if (file === undefined) continue;
    spawnSync('apt-get', ['download', '-qq', program], { cwd: UNPACKED, stdio: 'inherit' });
    spawnSync('dpkg-deb', ['--extract', file, UNPACKED], { cwd: UNPACKED, stdio: 'inherit' });
  }
  if (asRoot && packages.length > 0)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
      stdio: 'inherit',
    });
}
