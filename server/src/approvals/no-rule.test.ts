import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Rules } from './rules.ts';

const home = mkdtempSync(join(tmpdir(), 'tscodex-no-rule-'));
afterAll(() => rmSync(home, { recursive: true }));
const rules = new Rules(home);

async function why(command: string) {
  return rules.noRule(command, await rules.judge(command));
}

test.each([
  ['npm test', null],
  ['rm -rf build', 'risk'],
  ['npm test > log', 'shell'],
  ['npm run $TARGET', 'shell'],
  ['for i in a b; do npm test; done', 'shell'],
  ["bash -lc 'npm test; npm test'", 'shell'],
  ['cd web && npm test', 'several'],
  ['npm test && cargo build', 'several'],
  ['python3 run.py', 'program'],
  ['curl https://example.org', 'program'],
  ['npm test && node x.js', 'program'],
  ['npm', 'short'],
  ['cd repo && git status', 'git'],
])('%s: %s', async (command, code) => {
  expect(await why(command)).toBe(code);
});

test('of a repository that is not to be trusted git is the reason, whether there is a rule for it or not', async () => {
  const untrusted = async (command: string) => ({
    ...(await rules.judge(command)),
    rule: null,
    proposal: null,
  });
  expect(await rules.noRule('git status', await untrusted('git status'))).toBe('git');
  await rules.add(['git', 'status'], 'git status');
  expect(await rules.noRule('git status', await untrusted('git status'))).toBe('git');
  const two = 'git log && npm test';
  expect(await rules.noRule(two, await untrusted(two))).toBe('several');
});

test('what a rule allows already, and what one wants asked about, needs no reason', async () => {
  await rules.add(['npm', 'test'], 'npm test');
  expect(await why('npm test && cargo build')).toBeNull();
  expect(await why('npm test')).toBeNull();
});
