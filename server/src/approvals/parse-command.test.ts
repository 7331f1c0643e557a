import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CommandParser, type CommandPart } from './parse-command.ts';

type Vector = { command: string; segments: string[][] | null; reason: string | null; parts: CommandPart[] };
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('fixtures/shell-segments.json', import.meta.url), 'utf8'),
);
const parser = new CommandParser();

test('there are vectors', () => expect(vectors).toHaveLength(92));

test.each(vectors.map((vector) => [JSON.stringify(vector.command), vector] as const))(
  '%s',
  async (_, vector) => {
    const { segments, reason, parts } = await parser.parse(vector.command);
    expect({ command: vector.command, segments, reason, parts }).toEqual(vector);
  },
);

test.each([
  ['too long', `echo ${'x'.repeat(8 * 1024)}`],
  ['too long', `echo ${'名'.repeat(3000)}`],
  ['too many segments', 'a;'.repeat(65)],
  ['too many segments', '('.repeat(65)],
])('%s to be read', async (reason, command) => {
  expect(await parser.parse(command)).toMatchObject({ segments: null, reason });
});

test.each(['a \\ b', 'a \\\tb', 'a\\\nb', '\\\na', "echo 'x \\ y'"])(
  '%j: a blank that is part of a word, or looks like one, is told apart by nobody',
  async (command) => {
    expect(await parser.parse(command)).toMatchObject({ segments: null, reason: 'backslash escape' });
  },
);

test('what would take seconds to read is given up, and what comes next is read', async () => {
  const { segments, reason, guesses } = await parser.parse(`rm -f x ${'$['.repeat(4000)}`);
  expect([segments, reason]).toEqual([null, 'too complex']);
  expect(guesses).toContainEqual(expect.arrayContaining(['rm', '-f', 'x']));
  expect((await parser.parse('a b')).segments).toEqual([['a', 'b']]);
});

test('as much as is read is read', async () => {
  const { segments } = await parser.parse(`${'a;'.repeat(63)}a`);
  expect(segments).toHaveLength(64);
});

test.each([
  ['npm test', true],
  ['  npm test  # all of them', true],
  ["bash -lc 'npm test'", true],
  ['npm test &', false],
  ['npm test;', false],
  ['(npm test)', false],
  ['npm test | cat', false],
  ["bash -lc 'npm test' | cat", false],
  ['npm test > log', false],
])('%s: one program alone is %s', async (command, isSingle) => {
  expect((await parser.parse(command)).isSingle).toBe(isSingle);
});

test.each<[string, (string | null)[][]]>([
  ['\\rm -"rf" $x', [['rm', '-rf', null]]],
  ['FOO=1 make all > log', [['make', 'all']]],
  [
    'eval "rm -f $x"',
    [
      ['eval', null],
      ['rm', '-f', null],
    ],
  ],
  [
    "bash -x -c 'rm x'",
    [
      ['bash', '-x', '-c', 'rm x'],
      ['rm', 'x'],
    ],
  ],
  ['if x; then echo $(rm -f y); fi', [['x'], ['echo', null], ['rm', '-f', 'y']]],
  ['rm -rf x &&', [['rm', '-rf', 'x']]],
])('%s: what may run is guessed', async (command, guesses) => {
  expect((await parser.parse(command)).guesses).toEqual(guesses);
});

/** Tells the words of every program instead of running it; builtins are programs, too. */
const TELL = `
  command_not_found_handle() { printf '%q ' "$@"; printf '\\n'; }
  for builtin in $(compgen -b); do
    case $builtin in printf|enable|eval) ;; *) enable -n "$builtin" ;; esac
  done
  eval "$COMMAND"`;

/** Neither a program that the one before it decides about, nor one at the same time, nor a shell of its own. */
const comparable = vectors.filter(
  ({ command, segments }) => segments !== null && !/\|\||&(?!&)|\| |bash/.test(command),
);

test('there are commands to compare', () => expect(comparable).toHaveLength(20));

test.each(comparable.map(({ command }) => [JSON.stringify(command), command]))(
  '%s means the same to bash',
  async (_, command) => {
    const options = {
      env: { PATH: '/nowhere', COMMAND: command, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    } as const;
    const { stdout } = spawnSync('/bin/bash', ['--norc', '-c', TELL], options);
    const { segments } = await parser.parse(command);
    const quoted = (segments ?? []).map((words) => {
      const tell = ['--norc', '-c', 'printf "%q " "$@"; echo', 'bash', ...words];
      return spawnSync('/bin/bash', tell, options).stdout;
    });
    expect(stdout).toBe(quoted.join(''));
  },
);
