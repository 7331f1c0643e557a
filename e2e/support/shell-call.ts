/** What the scripted model calls in tests of commands. */
import type { Step } from './fake-model.ts';

/** One command; `more`: other arguments of `exec_command`. */
export function shell(cmd: string, more: Record<string, unknown> = {}): Step[] {
  return [{ call: 'exec_command', args: { cmd, ...more } }];
}

/** The same, to run outside the sandbox. */
export function escalated(cmd: string, more: Record<string, unknown> = {}): Step[] {
  return shell(cmd, { sandbox_permissions: 'require_escalated', justification: 'It needs that.', ...more });
}

export function patch(...lines: string[]): Step[] {
  return [{ custom: 'apply_patch', input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') }];
}
