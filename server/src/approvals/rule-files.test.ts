import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rules } from './rules.ts';

/** Files that cannot be read for the moment although nothing about them has changed. */
const failing = vi.hoisted(() => new Set<string>());
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const refuse = (path: string) => {
    if (failing.has(path)) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  };
  return {
    ...real,
    readFile: async (path: string) => {
      refuse(path);
      return real.readFile(path);
    },
    readdir: async (path: string) => {
      refuse(path);
      return real.readdir(path);
    },
  };
});

let home: string;
let rules: Rules;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tscodex-rule-files-'));
  rules = new Rules(home);
  mkdirSync(join(home, 'rules'));
  writeFileSync(join(home, 'rules/a.rules'), 'prefix_rule(pattern=["git", "status"], decision="allow")\n');
  writeFileSync(join(home, 'rules/b.rules'), 'prefix_rule(pattern=["git", "push"], decision="forbidden")\n');
});
afterEach(() => {
  failing.clear();
  rmSync(home, { recursive: true });
});

const ruleFor = async (command: string) => (await rules.judge(command)).rule;

test.each(['rules/b.rules', 'rules'])(
  'while %s cannot be read people are asked, and its rules hold once it can',
  async (name) => {
    failing.add(join(home, name));
    for (const command of ['git status', 'git push', 'ls'])
      expect(await rules.judge(command)).toMatchObject({
        ...{ rule: 'prompt', direct: null, proposal: null },
        justification: `${join(home, name)}: it cannot be read: too many open files`,
      });
    failing.clear();
    expect(await ruleFor('git status')).toBe('allow');
    expect(await ruleFor('git push')).toBe('forbidden');
    expect(await ruleFor('ls')).toBeNull();
  },
);

test('what is forbidden by a file that can be read stays so', async () => {
  failing.add(join(home, 'rules/a.rules'));
  expect(await ruleFor('git push')).toBe('forbidden');
});
