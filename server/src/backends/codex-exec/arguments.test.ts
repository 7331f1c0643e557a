import { expect, test } from 'vitest';
import type { HeldAs } from '../codex-process/held-as.ts';
import { execArguments } from './arguments.ts';

const HELD: HeldAs = {
  ...{ cwd: '/w', sandbox: 'workspace-write', approval: 'never', network: true },
  ...{ writableRoots: ['/data/"x"', '/b\u007f'], slashTmp: false, tmpdir: true, hidden: ['KEY'] },
};

test('what people have set is its configuration; --sandbox comes before resume, the prompt through stdin', () => {
  const args = execArguments({
    ...{ held: HELD, model: 'gpt-x', effort: 'high', threadId: 'thread', imagePaths: ['/a.png'] },
  });
  expect(args).toEqual([
    ...['exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write'],
    ...['-c', 'model="gpt-x"', '-c', 'model_reasoning_effort="high"'],
    ...['-c', 'sandbox_workspace_write.writable_roots=["/data/\\"x\\"","/b\\u007f"]'],
    ...['-c', 'sandbox_workspace_write.network_access=true'],
    ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
    ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=false'],
    ...['-c', 'shell_environment_policy.exclude=["KEY"]'],
    ...['resume', '-i', '/a.png', 'thread', '-'],
  ]);
});

test('what nobody has set is left to Codex', () => {
  const held: HeldAs = { ...HELD, sandbox: 'read-only', hidden: [] };
  const args = execArguments({ held, model: null, effort: undefined, threadId: 'thread', imagePaths: [] });
  expect(args).toEqual([
    ...['exec', '--json', '--skip-git-repo-check', '--sandbox', 'read-only', 'resume', 'thread', '-'],
  ]);
});
