/** Whether a command may run, and how: what it wants is resolved, judged by the rules and, if need be, asked for. */
import { resolve } from 'node:path';
import type { Approval } from '@tscodex/shared/asks';
import type { Allowance } from '@tscodex/shared/items';
import type { Grants } from '@tscodex/shared/permissions';
import type { Action } from '../approvals/decide.ts';
import type { Judgement } from '../approvals/judgement.ts';
import { isWithin } from '../base/paths.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { type Permission, permission, settingsChanged } from './approved-exec.ts';
import type { CommandLine } from './command-line.ts';
import { gitEnvironment } from './git-environment.ts';
import { expectStillTrue, isNothing, resolveGrants, stillTrue, withGrants } from './grants.ts';
import { safePath } from './safe-path.ts';
import type { ToolContext } from './tool.ts';
import { isTrustedRepository } from './trusted-repository.ts';

export type CommandRequest = {
  line: CommandLine;
  /** Absolute, resolved. */
  cwd: string;
  /** What it asks for, as the model wrote it. */
  wanted: Grants;
  reason: string | null | undefined;
  /** A rule that the model proposes. */
  prefixRule: readonly string[] | null | undefined;
};

type Env = Record<string, string>;

/** How it is to be started. */
export type CommandManner = { argv: CommandLine['argv']; env: Env; confinement: Confinement | null };

/**
 * `grants`: what it may do beyond its sandbox, if it has one. `manner` is to be called right before the start: what was allowed is looked at once more. Both throw `Failure`
 * for what nobody may allow or leads elsewhere than when it was allowed, and the signal's reason.
 */
export type CommandPermit =
  | (Permission & { granted: false })
  | { granted: true; allowance?: Allowance; grants: Grants; manner(env: Env): Promise<CommandManner> };

export async function permitCommand(request: CommandRequest, context: ToolContext): Promise<CommandPermit> {
  const { line, cwd, prefixRule } = request;
  const { holding, rules } = context;
  const grants = await resolveGrants(needed(request.wanted, context), cwd, holding.never);
  const judge = async (): Promise<Action & { what: 'command' }> => {
    const judged = await rules.judge(line.shown, prefixRule ? { prefixRule } : {});
    const judgement = await inTrustedRepository(judged, cwd, context);
    return { what: 'command', command: line.shown, cwd, grants, judgement };
  };
  const action = await judge();
  const noRule = await rules.noRule(line.shown, action.judgement);
  const approval = { ...approvalFor(request, action, context), ...(noRule === null ? {} : { noRule }) };
  const permit = await permission(action, approval, context, judge);
  if (!permit.granted) return permit;
  return {
    ...{ granted: true, grants },
    ...(permit.allowance ? { allowance: permit.allowance } : {}),
    async manner(env) {
      const { direct } = permit;
      const argv = isCommand(direct) ? direct : line.argv;
      if (permit.confined) return { argv, env, confinement: await heldBy(grants, context) };
      if (!permit.byRule) return { argv, env, confinement: null };
      const { judgement } = await judge();
      if (judgement.rule !== 'allow') throw settingsChanged();
      return { argv, env: await envOutside(env, judgement.git, context), confinement: null };
    },
  };
}

/**
 * No rule allows git where a command may have written what the repository, or its user's home, tells it, and none is
 * offered there.
 */
async function inTrustedRepository(
  judgement: Judgement,
  cwd: string,
  context: ToolContext,
): Promise<Judgement> {
  const { git, rule, proposal } = judgement;
  if (git === undefined || (rule !== 'allow' && proposal === null)) return judgement;
  const { HOME, XDG_CONFIG_HOME } = await context.environment();
  const homes = [HOME, XDG_CONFIG_HOME].flatMap((home) => (home ? [resolve(home)] : []));
  const writable = everWritable(context);
  const isHomeTrusted = !homes.some((home) => writable.some((place) => isWithin(home, place)));
  if (isHomeTrusted && (await isTrustedRepository(cwd, writable))) return judgement;
  return { ...judgement, rule: rule === 'allow' ? null : rule, proposal: null, direct: null };
}

/** For what a rule lets out of the sandbox: nothing that commands may have written decides what runs. */
async function envOutside(env: Env, git: Judgement['git'], context: ToolContext): Promise<Env> {
  const { PATH = '', TMPDIR } = env;
  const writable = [...everWritable(context), ...(TMPDIR ? [TMPDIR] : [])];
  const safe = { ...env, PATH: await safePath(PATH, writable) };
  return git === undefined ? safe : gitEnvironment(safe, git);
}

function everWritable({ holding, allowed }: ToolContext): string[] {
  return [...holding.everWritable, ...(allowed().write ?? [])];
}

/** Nothing where nothing is held, and not the network where every command of the session has it. */
function needed(wanted: Grants, { holding }: ToolContext): Grants {
  const held = holding.confinement({});
  if (held === null) return {};
  if (!wanted.network || !held.network) return wanted;
  const { network: _, ...rest } = wanted;
  return rest;
}

function approvalFor(
  { line, cwd, reason }: CommandRequest,
  { grants, judgement }: Action & { what: 'command' },
  { holding }: ToolContext,
): Approval {
  const held = holding.confinement(grants);
  return {
    ...{ what: 'command', command: line.shown, cwd, sandbox: held?.mode ?? 'none' },
    ...(reason ? { reason } : {}),
    ...(isNothing(grants) ? {} : { grants }),
    ...(judgement.risk === null ? {} : { risk: judgement.risk }),
  };
}

async function heldBy(grants: Grants, { holding, allowed }: ToolContext): Promise<Confinement> {
  await expectStillTrue(grants);
  const confinement = holding.confinement(withGrants(await stillTrue(allowed()), grants));
  if (confinement === null) throw settingsChanged();
  return confinement;
}

function isCommand(words: readonly string[] | undefined): words is CommandLine['argv'] {
  return words !== undefined && words.length > 0;
}
