/** How `codex exec` is called for a turn: what people have set for the session, as its configuration. Pure. */
import type { HeldAs } from '../codex-process/held-as.ts';

export type ExecSettings = {
  held: HeldAs;
  model: string | null;
  effort: string | undefined;
  threadId: string;
  imagePaths: readonly string[];
};

/** The prompt comes through stdin: no limit of its length, and nobody reads it in the list of processes. */
export function execArguments({ held, model, effort, threadId, imagePaths }: ExecSettings): string[] {
  const settings = Object.entries({
    ...(model ? { model } : {}),
    ...(effort ? { model_reasoning_effort: effort } : {}),
    ...(held.sandbox === 'workspace-write' ? writing(held) : {}),
    ...(held.hidden.length > 0 ? { 'shell_environment_policy.exclude': held.hidden } : {}),
  });
  return [
    // it refuses `--sandbox` after `resume`
    ...['exec', '--json', '--skip-git-repo-check', '--sandbox', held.sandbox],
    ...settings.flatMap(([key, value]) => ['-c', `${key}=${toml(value)}`]),
    ...['resume', ...imagePaths.flatMap((path) => ['-i', path]), threadId, '-'],
  ];
}

function writing({ writableRoots, network, slashTmp, tmpdir }: HeldAs) {
  return {
    'sandbox_workspace_write.writable_roots': writableRoots,
    'sandbox_workspace_write.network_access': network,
    'sandbox_workspace_write.exclude_slash_tmp': !slashTmp,
    'sandbox_workspace_write.exclude_tmpdir_env_var': !tmpdir,
  };
}

/** JSON's strings, lists and booleans are TOML's, but for one character. */
function toml(value: string | boolean | readonly string[]): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
