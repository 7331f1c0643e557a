import { expect, test } from 'vitest';
import { gitOnlyReads, gitReachesFurther } from './git-reach.ts';

const words = (text: string) => text.split(' ');

test.each([
  'git -c core.pager=x log',
  'git -C sub status',
  'git --exec-path=/x status',
  'git --git-dir=x status',
  'git --config-env=a=b status',
  'git -p log',
  'git log --output=x',
  'git log --outp x',
  'git log -- --output=x',
  'git diff --no-index a b',
  'git diff /dev/null b',
  'git diff ../a b',
  'git diff -Ox',
  'git show --ext-diff',
  'git show --textconv',
  'git fetch --upload-pack=x y',
  'git ls-remote --exec=x y',
  'git pull --upload-p=x y',
  'git push --receive-pack=x y',
  'git clone -c a=b y',
  'git clone -u x y',
  'git clone --config a=b y',
  'git clone --template=x y',
  'git archive --remote=x --exec=y HEAD',
  'git archive -ox HEAD',
  'git format-patch -o x HEAD',
  'git grep -O x',
  'git grep -inO x',
  'git commit -F x',
  'git add --pathspec-from-file=x',
  'git blame --contents x y',
  'git rebase -x y',
  'git apply --unsafe-paths x',
  'git bisect run x',
  'git config a b',
  'git submodule foreach x',
  'git difftool',
])('%s', (text) => {
  expect(gitReachesFurther(words(text))).toBe(true);
  expect(gitOnlyReads(words(text))).toBe(false);
});

test.each([
  'git status -sb',
  'git --no-pager log --oneline -n 3',
  'git diff HEAD~1..HEAD --stat -- src/a',
  'git log -p --follow x',
  'git show HEAD:a',
])('%s only reads', (text) => {
  expect(gitReachesFurther(words(text))).toBe(false);
  expect(gitOnlyReads(words(text))).toBe(true);
});

test.each(['git switch -c x', 'git commit -m x', 'git push -u origin x', 'git ls-files -o', 'npm -c x'])(
  '%s does what it says',
  (text) => expect(gitReachesFurther(words(text))).toBe(false),
);
