import { expect, test } from 'vitest';
import { allowing, type PrefixRule, type RuleSet, strictest } from './prefix-rules.ts';

const rule = (decision: PrefixRule['decision'], ...pattern: PrefixRule['pattern']): PrefixRule => ({
  pattern,
  decision,
});
const set = (...rules: PrefixRule[]): RuleSet => ({ rules, hosts: new Map([['npm', ['/opt/npm']]]) });
const words = (text: string) => text.split(' ');
/** A command of these programs, and others that are guessed only. */
const command = (programs: string[], guessed: string[] = []) => ({
  segments: programs.map(words),
  guesses: [...programs, ...guessed].map(words),
  runsUnknown: false,
});

test.each([
  ['git status', true],
  ['git status -s', true],
  ['git', false],
  ['git stat', false],
  ['git statuss', false],
  ['Git status', false],
  ['git -C . status', false],
  ['/usr/bin/git status', true],
  ['/srv/lab/bin/git status', false],
  ['./git status', false],
  ['npm run build', true],
  ['npm run lint', true],
  ['npm run deploy', false],
  ['/opt/npm run lint', true],
  ['/usr/bin/npm run lint', false],
])('%s is allowed: %s', (text, isAllowed) => {
  const rules = set(rule('allow', 'git', 'status'), rule('allow', 'npm', 'run', ['build', 'lint']));
  expect(allowing(rules, words(text)) !== undefined).toBe(isAllowed);
});

test('the strictest of all rules that fit counts, in whatever order they stand', () => {
  const allow = rule('allow', 'git');
  const prompt = rule('prompt', 'git', 'push');
  const forbidden = rule('forbidden', 'git', 'push', '--force');
  for (const rules of [set(allow, prompt, forbidden), set(forbidden, prompt, allow)]) {
    expect(strictest(rules, command(['git status']))).toBe(allow);
    expect(strictest(rules, command(['git push']))).toBe(prompt);
    expect(strictest(rules, command(['git push --force']))).toBe(forbidden);
    expect(strictest(rules, command(['git push --force', 'git push', 'git status']))).toBe(forbidden);
    expect(strictest(rules, command(['git status', 'ls', 'git push']))).toBe(prompt);
  }
});

test.each(['git -C . push', 'git --git-dir x -c a=b push origin', '/x/git --no-pager push'])(
  '%s is what a rule about git push means',
  (text) => {
    const rules = set(rule('forbidden', 'git', 'push'));
    expect(strictest(rules, command([text]))).toMatchObject({ decision: 'forbidden' });
  },
);

test('what makes more of a command of git is not allowed, unless the rule itself names it', () => {
  const rules = set(rule('allow', 'git', 'log'), rule('allow', 'git', 'fetch', '--upload-pack=x'));
  expect(allowing(rules, words('git log --output=x'))).toBeUndefined();
  expect(allowing(rules, words('/usr/bin/git log --output x'))).toBeUndefined();
  expect(allowing(rules, words('git fetch --upload-pack=x y'))).toBeDefined();
  expect(allowing(rules, words('git fetch --upload-pack=x --upload-pack=y'))).toBeUndefined();
});

test('each part has to be allowed', () => {
  const rules = set(rule('allow', 'git'), rule('allow', 'npm'));
  expect(strictest(rules, command(['git status', 'npm test']))).toMatchObject({ decision: 'allow' });
  expect(strictest(rules, command(['git status', 'ls']))).toBeNull();
  expect(strictest(rules, command([]))).toBeNull();
});

test('what is only guessed is forbidden and asked about, never allowed', () => {
  const rules = set(rule('allow', 'git'), rule('forbidden', 'git', 'push'));
  const guessed = (...guesses: (string | null)[][]) => ({ segments: null, guesses, runsUnknown: false });
  expect(strictest(rules, guessed(words('git status'), ['git', 'push', null], [null, 'x']))).toMatchObject({
    decision: 'forbidden',
  });
  expect(strictest(rules, guessed(words('git status')))).toBeNull();
  expect(strictest(rules, command(['git status'], ['/tmp/git push']))).toMatchObject({
    decision: 'forbidden',
  });
});

test('of what may turn out to be forbidden people are asked, and of nothing where no rule speaks against anything', () => {
  const rules = set(rule('allow', 'git'), rule('forbidden', 'git', 'push', '--force'));
  const asked = { decision: 'prompt', pattern: ['git', 'push', '--force'] };
  const guessed = (...words: (string | null)[]) => ({ segments: null, guesses: [words], runsUnknown: false });
  for (const possible of [
    ['git', null],
    ['/x/git', '-C', 'x', 'push', null],
    ['git', null, 'x'],
  ])
    expect(strictest(rules, guessed(...possible))).toMatchObject(asked);
  for (const other of [
    ['git', 'status', null],
    ['git', 'push'],
    ['ls', null],
    ['git', 'push', 'x', null],
  ])
    expect(strictest(rules, guessed(...other))).toBeNull();
  const unknown = { segments: null, guesses: [[null, 'x']], runsUnknown: true };
  expect(strictest(rules, unknown)).toMatchObject(asked);
  expect(strictest(set(rule('allow', 'git')), unknown)).toBeNull();
  expect(strictest(set(rule('allow', 'sh')), { ...command(['sh']), runsUnknown: true })).toMatchObject({
    decision: 'allow',
  });
});
