import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CodexRules } from './codex-rules.ts';
import { Rules } from './rules.ts';

let home: string;
let own: Rules;
let rules: CodexRules;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tscodex-codex-rules-'));
  own = new Rules(home);
  rules = new CodexRules(own);
});
afterEach(() => rmSync(home, { recursive: true }));

test.each([
  [['git', 'status'], 'git status'],
  [['/usr/bin/git', 'log'], '/usr/bin/git log'],
  [['pnpm', 'exec', 'git', 'status'], 'pnpm exec git status'],
  [['git', 'log'], 'npm test && git log'],
])('none is made of git, whoever writes it: %j', async (prefix, command) => {
  await expect(rules.add(prefix, command)).rejects.toMatchObject({
    ...{ code: 'rules.prefix', details: { git: prefix.join(' ') } },
    message: expect.stringContaining('Codex would follow it in every repository'),
  });
  expect(existsSync(join(home, 'rules/default.rules'))).toBe(false);
});

test.each(['git status', 'pnpm exec git status', "bash -lc 'git log'"])(
  'none is offered of git: %s',
  async (line) => {
    expect(await rules.offer(line, line.split(' '))).toEqual({ noRule: 'git' });
  },
);

test('nor for what runs beside git that a rule allows', async () => {
  await own.add(['git', 'log'], 'git log');
  expect(await rules.offer('git log && npm test', ['npm', 'test'])).toEqual({ noRule: 'git' });
});

test('of other commands one is offered and made', async () => {
  expect(await rules.offer('npm test', ['npm', 'test'])).toEqual({ rule: ['npm', 'test'] });
  expect(await rules.add(['npm', 'test'], 'npm test')).toBe(true);
});
