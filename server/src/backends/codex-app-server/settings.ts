/** What people say in a session and have set for it, in Codex's words. Pure. */

import { ASKING } from '../codex-events/own-settings.ts';
import type { CodexInput } from '../codex-process/codex-input.ts';
import type { HeldAs } from '../codex-process/held-as.ts';

export function messageOf({ id, text, imagePaths }: CodexInput): object {
  const images = imagePaths.map((path) => ({ type: 'localImage', path }));
  return { input: [{ type: 'text', text, text_elements: [] }, ...images], clientUserMessageId: id };
}

/** For the thread as it is taken up. */
export function threadSettings({ cwd, approval, sandbox, hidden }: HeldAs, model: string | null): object {
  const config = {
    // else the agent may ask people only while it plans
    [`features.${ASKING}`]: true,
    ...(hidden.length > 0 ? { 'shell_environment_policy.exclude': hidden } : {}),
  };
  return { ...{ cwd, approvalPolicy: approval, sandbox, config }, ...(model ? { model } : {}) };
}

/** For a turn: what was set since holds from here on. */
export function turnSettings(
  held: HeldAs,
  { model, effort }: { model: string | null; effort: string | undefined },
  context: Readonly<Record<string, string>>,
): object {
  const told = Object.entries(context).map(([name, value]) => [name, { value, kind: 'application' }]);
  return {
    ...{ cwd: held.cwd, approvalPolicy: held.approval, sandboxPolicy: sandboxPolicy(held) },
    ...(model ? { model } : {}),
    ...(effort ? { effort } : {}),
    ...(told.length > 0 ? { additionalContext: Object.fromEntries(told) } : {}),
  };
}

function sandboxPolicy({ sandbox, network: networkAccess, writableRoots, slashTmp, tmpdir }: HeldAs): object {
  if (sandbox === 'danger-full-access') return { type: 'dangerFullAccess' };
  if (sandbox === 'read-only') return { type: 'readOnly', networkAccess };
  return {
    ...{ type: 'workspaceWrite', writableRoots, networkAccess },
    ...{ excludeSlashTmp: !slashTmp, excludeTmpdirEnvVar: !tmpdir },
  };
}
