import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandParser } from './parse-command.ts';
import { Rules } from './rules.ts';

let home: string;
let rules: Rules;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tscodex-rules-'));
  rules = new Rules(home);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const path = (name = 'default.rules') => join(home, 'rules', name);
const saved = (name?: string) => readFileSync(path(name), 'utf8');
const allow = (...words: string[]) =>
  `prefix_rule(pattern=[${words.map((word) => JSON.stringify(word)).join(', ')}], decision="allow")\n`;

function write(text: string | Uint8Array, name?: string) {
  mkdirSync(join(home, 'rules'), { recursive: true });
  writeFileSync(path(name), text);
}

const open = { rule: null, knownSafe: false, risk: null, proposal: null, direct: null };

test('nothing is known where nobody has saved anything', async () => {
  expect(await rules.judge('npm test')).toEqual({ ...open, proposal: ['npm', 'test'] });
  expect(await rules.judge('ls | wc -l')).toEqual({ ...open, knownSafe: true });
  expect(await rules.judge('rm -rf x')).toEqual({ ...open, risk: 'delete' });
  expect(await rules.judge('npm test > log')).toEqual(open);
  expect(await rules.list()).toEqual({ dir: join(home, 'rules'), rules: [], problems: [] });
});

test('a command is read once, however long it is', async () => {
  const parse = vi.spyOn(CommandParser.prototype, 'parse');
  for (const command of ['npm test', `npm test ${'x'.repeat(8 * 1024)}`])
    expect(await rules.judge(command)).toEqual(await rules.judge(command));
  expect(parse).toHaveBeenCalledTimes(2);
  parse.mockRestore();
});

test('a saved rule allows what begins like it, and is started without a shell', async () => {
  await rules.add(['npm', 'test'], 'npm test -- --watch=false');
  expect(saved()).toBe(allow('npm', 'test'));
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'rules')).mode & 0o777).toBe(0o700);
  expect(await rules.judge('npm test a')).toEqual({ ...open, rule: 'allow', direct: ['npm', 'test', 'a'] });
  expect(await rules.judge('npm test; npm test b')).toEqual({ ...open, rule: 'allow' });
  expect(await rules.judge('npm test > log')).toEqual(open);
  expect(await rules.judge('npm test && cd a')).toEqual(open);
  expect((await new Rules(home).judge('npm test')).rule).toBe('allow');
});

test('a shell of the workspace is no shell', async () => {
  write(allow('git', 'status'));
  const two = 'git status; git status';
  expect(await rules.judge(`bash -c '${two}'`)).toMatchObject({ rule: 'allow' });
  for (const shell of ['./bash', '/tmp/x/zsh', 'bin/sh', '/srv/lab/dash'])
    expect(await rules.judge(`${shell} -c '${two}'`)).toMatchObject({ rule: null, direct: null });
  expect(await rules.judge("./bash -c 'ls; ls'")).toMatchObject({ knownSafe: false });
});

test('a command that is quoted for a shell is read like any other', async () => {
  write(allow('git', 'commit') + allow('git', 'add'));
  const quoted = "sh -c 'git commit -m '\\''it is'\\'''";
  expect(await rules.judge(quoted)).toMatchObject({
    rule: 'allow',
    direct: ['git', 'commit', '-m', 'it is'],
  });
  expect(await rules.judge("sh -c 'git add a; git add b'")).toMatchObject({ rule: 'allow', direct: null });
});

test('where a shell reads a profile first, only what needs no shell is allowed', async () => {
  write(allow('git', 'status'));
  for (const shell of ['bash -lc', 'sh -lc', 'zsh -c']) {
    expect(await rules.judge(`${shell} 'git status'`)).toMatchObject({ direct: ['git', 'status'] });
    expect(await rules.judge(`${shell} 'git status; git status'`)).toMatchObject({
      rule: null,
      proposal: null,
    });
    expect(await rules.judge(`${shell} 'npm test; npm test'`)).toEqual(open);
  }
});

test('what git does is told, and it is not allowed where it may be elsewhere', async () => {
  write(allow('git', 'status') + allow('git', 'add') + allow('cd'));
  expect(await rules.judge('git status')).toMatchObject({ rule: 'allow', git: { reads: true } });
  expect(await rules.judge('git add a; git status')).toMatchObject({ rule: 'allow', git: { reads: false } });
  expect(await rules.judge('cd sub; git status')).toMatchObject({ rule: null });
  expect(await rules.judge('cd sub')).not.toHaveProperty('git');
});

test('why something is allowed is nobody’s question', async () => {
  write('prefix_rule(pattern=["a", "b"], justification="it is harmless")');
  expect(await rules.judge('a b')).toEqual({ ...open, rule: 'allow', direct: ['a', 'b'] });
});

test('what only a shell has is not started without one', async () => {
  write(allow('cd'));
  expect(await rules.judge('cd sub')).toEqual({ ...open, rule: 'allow', knownSafe: true });
});

test('an allow rule outweighs a risk, and none is offered for one', async () => {
  write(allow('rm', '-rf', 'build'));
  expect(await rules.judge('rm -rf build')).toMatchObject({ rule: 'allow', risk: 'delete' });
  expect(await rules.judge('git push --force', { prefixRule: ['git', 'push'] })).toMatchObject({
    risk: 'rewrite',
    proposal: null,
  });
});

test('the model’s own proposal is taken where it is good', async () => {
  expect((await rules.judge('npm run dev a', { prefixRule: ['npm', 'run', 'dev', 'a'] })).proposal).toEqual([
    ...['npm', 'run', 'dev', 'a'],
  ]);
  expect((await rules.judge('npm run dev a', { prefixRule: ['npm'] })).proposal).toEqual([
    'npm',
    'run',
    'dev',
  ]);
});

test('a rule that speaks against it wins, with its words', async () => {
  write(
    `${allow('git')}prefix_rule(pattern=["git", "push"], decision="prompt", justification="it is shared")\n`,
  );
  write('prefix_rule(pattern=["git", "push", "--tags"], decision="forbidden")', 'team.rules');
  const prompt = { ...open, rule: 'prompt', justification: 'it is shared', pattern: ['git', 'push'] };
  expect(await rules.judge('git push')).toEqual({ ...prompt, git: { reads: false } });
  expect(await rules.judge('X=$(git push origin) ls')).toEqual(prompt);
  expect(await rules.judge("bash -lc 'git push' > log")).toEqual(prompt);
  expect(await rules.judge('timeout 5 /usr/bin/git push')).toEqual(prompt);
  expect((await rules.judge('git status && git push --tags')).rule).toBe('forbidden');
});

test.each([
  'X=git; $X push',
  '"$X" push',
  '$(echo git) push',
  'X=push; git $X',
  'echo "git push" | sh',
  'sh <<< "git push"',
  'printf "push\\n" | xargs git $X',
])('%s: what may turn out to be forbidden is asked about, and never allowed', async (command) => {
  write(allow('echo') + allow('printf'));
  expect((await rules.judge(command)).rule).toBeNull();
  write('prefix_rule(pattern=["git", "push"], decision="forbidden", justification="ours")\n', 'team.rules');
  expect(await rules.judge(command)).toMatchObject({
    ...{ rule: 'prompt', pattern: ['git', 'push'], justification: 'ours', proposal: null, direct: null },
  });
  expect((await rules.judge('echo $X; ls "$X"')).rule).toBeNull();
});

test.each<[string, string[], string, string]>([
  ['an interpreter', ['python3', 'x.py'], 'python3 x.py', 'interpreter'],
  ['a program alone', ['git'], 'git status', 'short'],
  ['no word at all', [], 'git status', 'short'],
  ['a word too much', ['npm', 'run', 'dev'], 'npm run', 'elsewhere'],
  ['another command', ['npm', 'test'], 'npm run dev', 'elsewhere'],
  ['a part that has a rule', ['git', 'log', '-1'], 'git log -1; ls -la', 'elsewhere'],
  ['a risk', ['git', 'reset'], 'git reset --hard', 'risky'],
  ['a redirection', ['npm', 'test'], 'npm test > x', 'unmatchable'],
  ['a prompt', ['make', 'deploy'], 'make deploy', 'opposed'],
  ['part of a prompt', ['make', 'deploy', 'now'], 'make deploy now', 'opposed'],
])('%s makes no rule', async (_what, prefix, command, why) => {
  const text = `${allow('git', 'log')}prefix_rule(pattern=["make", "deploy"], decision="prompt")\n`;
  write(text);
  await expect(rules.add(prefix, command)).rejects.toMatchObject({
    ...{ code: 'rules.prefix', kind: 'invalid', details: { [why]: prefix.join(' ') } },
  });
  expect(saved()).toBe(text);
});

test('a rule is saved once, whoever saves it', async () => {
  const others = new Rules(home);
  await Promise.all([rules, others, rules].map((one) => one.add(['npm', 'test'], 'npm test')));
  await rules.add(['npm', 'test'], 'npm test');
  expect(saved()).toBe(allow('npm', 'test'));
});

test('several at once are all saved', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `t${i}`);
  const others = new Rules(home);
  await Promise.all(names.map((name, i) => (i % 2 ? rules : others).add(['make', name], `make ${name}`)));
  expect(saved().trim().split('\n').sort()).toEqual(names.map((name) => allow('make', name).trim()).sort());
});

test('what stands in the file stays, and its mode', async () => {
  write('# ours\nprefix_rule(pattern=["a"])');
  chmodSync(path(), 0o640);
  await rules.add(['npm', 'test'], 'npm test');
  expect(saved()).toBe(`# ours\nprefix_rule(pattern=["a"])\n${allow('npm', 'test')}`);
  expect(statSync(path()).mode & 0o777).toBe(0o640);
});

test('a link to a file kept elsewhere stays a link', async () => {
  writeFileSync(join(home, 'kept'), allow('a', 'b'));
  mkdirSync(join(home, 'rules'));
  symlinkSync(join(home, 'kept'), path());
  await rules.add(['npm', 'test'], 'npm test');
  const [first] = (await rules.list()).rules;
  await rules.remove(`${first?.id}`);
  expect(readFileSync(join(home, 'kept'), 'utf8')).toBe(allow('npm', 'test'));
});

test('a rule is taken out, and nothing else', async () => {
  const before = `# ours\r\n\n${allow('a', 'b')}`;
  const after = 'hello\nprefix_rule(\n  pattern=["c"], # é\n)\n\n';
  write(before + allow('x', 'y') + after);
  write(allow('x', 'y'), 'other.rules');
  const list = await rules.list();
  expect(list.rules.map(({ file, line, pattern }) => [file, line, pattern])).toEqual([
    ...[
      ['default.rules', 3, ['a', 'b']],
      ['default.rules', 4, ['x', 'y']],
      ['default.rules', 6, ['c']],
    ],
    ['other.rules', 1, ['x', 'y']],
  ]);
  expect(list.problems).toEqual([{ file: 'default.rules', line: 5, message: 'it is no rule' }]);
  await rules.remove(`${list.rules[1]?.id}`);
  expect(saved()).toBe(before + after);
  expect((await rules.judge('x y')).rule).toBe('allow');
  await rules.remove(`${list.rules[3]?.id}`);
  expect(saved('other.rules')).toBe('');
  expect((await rules.judge('x y')).rule).toBeNull();
});

test('a rule that is gone or was changed by hand is not taken out', async () => {
  write(allow('a', 'b'));
  const id = `${(await rules.list()).rules[0]?.id}`;
  write(allow('a', 'c'));
  await expect(rules.remove(id)).rejects.toMatchObject({ code: 'rules.unknown', kind: 'notFound' });
  await expect(rules.remove('')).rejects.toMatchObject({ code: 'rules.unknown' });
  expect(saved()).toBe(allow('a', 'c'));
});

test('what others change counts from the next command on', async () => {
  expect((await rules.judge('a b')).rule).toBeNull();
  write(allow('a', 'b'));
  expect((await rules.judge('a b')).rule).toBe('allow');
  write(allow('a', 'c'));
  expect((await rules.judge('a b')).rule).toBeNull();
  write('prefix_rule(pattern=["a"], decision="forbidden")', 'z.rules');
  expect((await rules.judge('a b')).rule).toBe('forbidden');
  rmSync(join(home, 'rules'), { recursive: true });
  expect((await rules.judge('a b')).rule).toBeNull();
});

test.each<[string, string | Uint8Array, RegExp]>([
  ['bytes that are no text', Uint8Array.from([0x61, 0xff]), /^it cannot be read: /],
  ['a file without end', 'x'.repeat(1024 * 1024 + 1), /^it cannot be read: it has 1048577 bytes/],
])('%s are a problem of one file', async (_what, content, message) => {
  write(content, 'bad.rules');
  write(allow('a', 'b'));
  expect((await rules.list()).rules).toHaveLength(1);
  expect((await rules.list()).problems).toEqual([
    { file: 'bad.rules', line: 1, message: expect.stringMatching(message) },
  ]);
});

test('a directory in the place of a file, or a file in that of the directory', async () => {
  mkdirSync(path('x.rules'), { recursive: true });
  expect((await rules.list()).problems).toMatchObject([{ file: 'x.rules', line: 1 }]);
  rmSync(join(home, 'rules'), { recursive: true });
  writeFileSync(join(home, 'rules'), '');
  expect((await rules.list()).problems).toMatchObject([{ file: '.', line: 1 }]);
  await expect(rules.add(['npm', 'test'], 'npm test')).rejects.toMatchObject({
    ...{ code: 'rules.write', kind: 'unavailable', message: expect.stringContaining(join(home, 'rules')) },
  });
});

test('a rule is not saved where it would be part of what cannot be read', async () => {
  write('"""\nopen');
  await expect(rules.add(['npm', 'test'], 'npm test')).rejects.toMatchObject({
    ...{ code: 'rules.write', message: expect.stringContaining('line 1') },
  });
  expect(saved()).toBe('"""\nopen');
});

test('a rule waits for whoever is writing another one', async () => {
  write('');
  // holds the lock that Codex takes, says so, and appends its line before it lets go
  const script = 'echo held; read _; printf "%s" "$1" >> "$2"';
  const holder = spawn('flock', [path(), 'sh', '-c', script, 'sh', allow('a', 'b'), path()]);
  await once(holder.stdout, 'data');
  const added = rules.add(['npm', 'test'], 'npm test');
  holder.stdin.end('\n');
  await added;
  expect(saved()).toBe(allow('a', 'b') + allow('npm', 'test'));
});

test('nor is one that Codex appends to the file it had opened before another was taken out', async () => {
  write(allow('a', 'b') + allow('c', 'd'));
  // opens the file, as Codex does, before it waits for the lock
  const script = 'exec 9>>"$2"; echo opened; read _; flock 9; printf "%s" "$1" >&9';
  const codex = spawn('sh', ['-c', script, 'sh', allow('x', 'y'), path()]);
  await once(codex.stdout, 'data');
  const [first] = (await rules.list()).rules;
  await rules.remove(`${first?.id}`);
  codex.stdin.end('\n');
  await once(codex, 'exit');
  expect(saved()).toBe(allow('c', 'd') + allow('x', 'y'));
});
