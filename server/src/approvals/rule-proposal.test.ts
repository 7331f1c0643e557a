import { expect, test } from 'vitest';
import { proposalFor, tooWide } from './rule-proposal.ts';

const words = (text: string) => text.split(' ');

test.each([
  ['npm run dev', 'npm run dev'],
  ['npm run dev -- --port 3000', 'npm run dev'],
  ['npm test -- --watch=false', 'npm test'],
  ['npm install lodash', 'npm install'],
  ['cargo test --all', 'cargo test'],
  ['gh pr check 123', 'gh pr check'],
  ['git log --oneline', 'git log'],
  ['git push origin main', 'git push origin main'],
  ['git add a b', 'git add a b'],
  ['git status -s', 'git status'],
  ['./gradlew test --info', './gradlew test'],
  ['make build', 'make build'],
  ['uv run pytest -q', 'uv run pytest'],
  ['uv run --with x pytest', 'uv run --with x pytest'],
  ['npx eslint src', 'npx eslint'],
  ['touch /etc/x', 'touch /etc/x'],
  ['mkdir -p a/b', 'mkdir -p a/b'],
  ['pytest', 'pytest'],
])('%s: %s', (command, proposal) => {
  expect(proposalFor([words(command)])?.join(' ')).toBe(proposal);
});

test.each([
  'python3 x.py',
  'python3.12 -m pytest',
  '/usr/bin/python3 x.py',
  'node x.js',
  'bash x.sh',
  'BASH -c x',
  'env A=1 make',
  'sudo ls',
  'xargs ls',
  'nohup npm test',
  'timeout 5 npm test',
  'nice make x',
  'ssh box ls',
  'docker ps',
  'rm -r x',
  'find . -name x',
  'git',
  'npm',
  'make',
  'make -j4',
  'npm run',
  'uv run python x.py',
  'npm exec tsx x.ts',
  'npx tsx x.ts',
  'uvx --from a python',
  // what shows or sends any file
  'cat README.md',
  'ls -la',
  'date',
  'date -u',
  'grep -r x src',
  'curl -s https://example.com',
  'jj log',
  // what starts others
  'taskset 1 npm test',
  'xvfb-run npm test',
  'tmux new -d x',
  'ip netns exec x ls',
  'kubectl exec x ls',
  'Rscript x.R',
  'gdb -ex run x',
  // git with more than its first words say, or with nothing that says what it changes
  'git -C sub log',
  'git -c core.pager=x log',
  'git clone --upload-pack=x y',
  'git log --output=x',
  'git config user.name x',
  'git submodule foreach x',
  'git commit',
  'git push --all',
])('none for %s', (command) => expect(proposalFor([words(command)])).toBeNull());

test('the model’s own is taken where it is narrow enough and fits', () => {
  const test = [words('npm run test:unit -- --watch')];
  expect(proposalFor(test, ['npm', 'run', 'test:unit', '--'])).toEqual(['npm', 'run', 'test:unit', '--']);
  for (const poor of [['npm'], ['npm', 'run'], ['npm', 'run', 'test'], ['python3'], []])
    expect(proposalFor(test, poor)).toEqual(['npm', 'run', 'test:unit']);
});

test('the model’s own has to say at least what would be offered without it', () => {
  for (const poor of [
    ['taskset', '1'],
    ['kubectl', 'exec'],
    ['unheard-of', '-n'],
    ['git', 'push'],
  ])
    expect(proposalFor([[...poor, 'npm', 'test']], poor)).not.toEqual(poor);
});

test('one rule has to cover all', () => {
  expect(proposalFor([words('npm run a'), words('npm run a --x')])).toEqual(['npm', 'run', 'a']);
  expect(proposalFor([words('cd sub'), words('npm test')])).toBeNull();
  expect(proposalFor([words('touch a'), words('touch a b')])).toEqual(['touch', 'a']);
  expect(proposalFor([])).toBeNull();
});

test('what no rule can hold is not offered', () => {
  expect(proposalFor([['touch', 'x'.repeat(1001)]])).toBeNull();
  expect(proposalFor([['touch', ...Array(32).fill('x')]])).toBeNull();
  expect(proposalFor([['touch', '', 'x']])).toBeNull();
});

test.each(['npm --prefix', 'npx -y', 'git -C', 'npm run', 'gh pr', 'cargo -q'])(
  '%s says too little',
  (prefix) => {
    expect(tooWide(words(prefix))).toBe('short');
  },
);
