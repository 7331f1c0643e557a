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
  const guessed = { segments: null, guesses: [words('git status'), ['git', 'push', null], [null, 'x']] };
  expect(strictest(rules, guessed)).toMatchObject({ decision: 'forbidden' });
  expect(strictest(rules, { segments: null, guesses: [words('git status')] })).toBeNull();
  expect(strictest(rules, { segments: null, guesses: [['git', null]] })).toBeNull();
  expect(strictest(rules, command(['git status'], ['/tmp/git push']))).toMatchObject({
    decision: 'forbidden',
  });
});
