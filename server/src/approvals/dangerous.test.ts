import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { riskOf } from './dangerous.ts';
import { CommandParser } from './parse-command.ts';

const parser = new CommandParser();
const risk = async (command: string) => riskOf(await parser.parse(command));

const vectors: {
  dangerous: { argv: string[]; dangerous: number }[];
  dangerous_scripts: { script: string; dangerous: number }[];
  tscodex_extra_prompt: string[][];
} = JSON.parse(readFileSync(new URL('fixtures/command-safety.json', import.meta.url), 'utf8'));

test.each(vectors.dangerous.map(({ argv, dangerous }) => [argv.join(' '), dangerous]))(
  '%s: %s',
  async (command, dangerous) => expect(await risk(`${command}`)).toBe(dangerous ? 'delete' : null),
);

test.each(vectors.dangerous_scripts.map(({ script, dangerous }) => [script, dangerous]))(
  '%s: %s',
  async (script, dangerous) => expect(await risk(`${script}`)).toBe(dangerous ? 'delete' : null),
);

test.each(vectors.tscodex_extra_prompt.map((argv) => [argv.join(' ')]))('%s is one', async (command) => {
  expect(await risk(command)).not.toBeNull();
});

test.each([
  ['sudo -u bob rm -fr x', 'delete'],
  ['bash -lc "cd a && rm -f b"', 'delete'],
  ["eval 'rm -f x'", 'delete'],
  ["sudo -u bob bash -c 'cd /x; rm -f y'", 'delete'],
  ['xargs -0 rm -f', 'delete'],
  ["find . -name '*.o' -exec rm -f {} \\;", 'delete'],
  ['timeout 5 nice rm --forc x', 'delete'],
  ['"rm" -\\f x', 'delete'],
  ['X=1 rm -rf "$HOME"', 'delete'],
  ['sudo ls', 'root'],
  ['su -c ls', 'root'],
  ['git -C /r -c a=b reset --hard HEAD~1', 'discard'],
  ['git clean -xdf', 'discard'],
  ['git checkout .', 'discard'],
  ['git restore --source HEAD .', 'discard'],
  ['git restore --staged --worktree .', 'discard'],
  ['git stash clear', 'discard'],
  ['git push origin +main', 'rewrite'],
  ['git push --force-with-lease=main origin', 'rewrite'],
  ['git push -uf origin main', 'rewrite'],
  ['git push origin :old', 'rewrite'],
  ['dd if=/dev/zero of="$disk"', 'disk'],
  ['mkfs -t ext4 /dev/sdb1', 'disk'],
  ['chown --recursive me //', 'everything'],
  ['chmod -R a+w /*', 'everything'],
  ['systemctl --force reboot', 'power'],
  ['init 0', 'power'],
  ['rm -f a; sudo chmod -R 777 /', 'everything'],
  ['rm -rf x &&', 'delete'],
  ['rm -rf x # \u00a0', 'delete'],
  ['if a; then\r\n X=1 sudo "rm" \\-rf x; fi', 'delete'],
  ["bash -lc 'cd /x; rm -f y'\u200b", 'delete'],
  [`rm -rf x; echo ${'x'.repeat(9000)}`, 'delete'],
  [`${'a;'.repeat(100)} git push -f`, 'rewrite'],
  [`sudo ${'env '.repeat(1500)}`, 'root'],
  [`xargs ${'rm '.repeat(2500)}-f`, 'delete'],
])('%s: %s', async (command, expected) => expect(await risk(command)).toBe(expected));

test.each([
  'rm x',
  'rm -ri x',
  'echo rm -f',
  'git push origin main',
  'git push -u origin HEAD:feature',
  'git restore --staged .',
  'git checkout main',
  'git checkout -b fix',
  'git clean -n',
  'git reset HEAD~1',
  'git stash',
  'dd if=/dev/zero of=/dev/null count=1',
  'dd if=a of=b.img',
  'chmod -R 755 /srv/app',
  'chmod 755 /',
  'systemctl status nginx',
  'find . -name rm -type f',
  'npm run shutdown',
  'grep -f patterns rm',
  'echo rm -f\u00a0',
  "bash -c 'echo rm -rf x'",
  '',
])('%s is none', async (command) => expect(await risk(command)).toBeNull());
