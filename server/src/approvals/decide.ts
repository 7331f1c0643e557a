/**
 * Whether something the model wants to do runs, asks a person, or is refused. Pure: what is wanted, the policy
 * and what was granted go in, the decision comes out.
 */
import type { ApprovalPolicy, Grants, Rule, SandboxMode } from '@tscodex/shared/permissions';
import type { Judgement } from './judgement.ts';
import { type AskedBecause, refusal } from './refusal.ts';
import { commandKey, coveredByGrants, fileKey, grantKeysOf } from './session-grants.ts';

export type Policy = {
  approval: ApprovalPolicy;
  sandbox: SandboxMode;
  /** The configuration itself says `never` and `danger-full-access`: a session alone cannot. */
  unattended: boolean;
  /** Whether the operating system of this machine holds commands to a mode. */
  confined: boolean;
  /** What a person has allowed for the rest of this session or turn: the keys of an ask. */
  granted(key: string): boolean;
};

/** Something that has an effect. Paths are absolute and resolved: what will really be touched. */
export type Action =
  | {
      what: 'command';
      command: string;
      cwd: string;
      /** What it wants beyond its sandbox. */
      grants: Grants;
      judgement: Judgement;
    }
  /**
   * Something typed into a command that runs; `confined`: that one is. `looser`: it may do more than the session's
   * commands now may, so what was allowed once would be allowed again and again.
   */
  | { what: 'input'; confined: boolean; looser: boolean }
  /** `outside`: those of `paths` that a confined command could not write. */
  | { what: 'patch'; paths: readonly string[]; outside: readonly string[] }
  /** More for what follows. */
  | { what: 'permissions'; grants: Grants };

/** `confined`: how it is to run. */
export type Decision =
  | { outcome: 'allow'; confined: boolean; direct?: readonly string[] }
  | {
      outcome: 'ask';
      confined: boolean;
      /** What "for this session" grants; empty where that is not offered. */
      keys: string[];
      /** The rule to offer. Once it is saved the command is judged anew. */
      rule: string[] | null;
      /** The words of the rule that wants people asked, or why no rule could be read. */
      justification?: string;
      /** What that rule is about. */
      pattern?: Rule['pattern'];
    }
  /** `reason` is for the model and names what forbids it. */
  | { outcome: 'forbid'; reason: string };

/** Nothing runs unconfined without a person or a rule, unless the configuration says so in both words. */
export function decide(action: Action, policy: Policy): Decision {
  const judgement = action.what === 'command' ? action.judgement : null;
  if (judgement?.rule === 'forbidden')
    return { outcome: 'forbid', reason: refusal(action, 'forbidden', policy) };
  if (judgement?.rule === 'allow') {
    const direct = judgement.direct ?? undefined;
    return { outcome: 'allow', confined: false, ...(direct && { direct }) };
  }
  const confined = runsConfined(action, policy);
  const because = askedBecause(action, policy);
  if (because === null) return { outcome: 'allow', confined };
  if (policy.approval === 'never') return { outcome: 'forbid', reason: refusal(action, because, policy) };
  const keys = keysOf(action, confined);
  if (keys.length > 0 && keys.every((key) => policy.granted(key))) return { outcome: 'allow', confined };
  return {
    ...{ outcome: 'ask', confined, keys, rule: judgement?.proposal ?? null },
    ...(judgement?.justification !== undefined && { justification: judgement.justification }),
    ...(judgement?.pattern !== undefined && { pattern: judgement.pattern }),
  };
}

/** Whether commands of this session are confined at all. */
function confines({ confined, sandbox }: Policy): boolean {
  return confined && sandbox !== 'danger-full-access';
}

function runsConfined(action: Action, policy: Policy): boolean {
  if (action.what === 'input') return action.confined;
  return confines(policy) && !(action.what === 'command' && action.grants.unconfined);
}

/** Why a person has to decide; null where nobody has to. */
function askedBecause(action: Action, policy: Policy): AskedBecause | null {
  if (action.what === 'command' && action.judgement.rule === 'prompt') return 'rule';
  if (action.what === 'command' && action.judgement.risk !== null) return 'risk';
  const { approval, sandbox, unattended } = policy;
  if (unattended && approval === 'never' && sandbox === 'danger-full-access') return null;
  if ('grants' in action && !coveredByGrants(action.grants, policy.granted)) return 'grants';
  if (action.what === 'permissions') return null;
  if (action.what === 'patch' && action.outside.length > 0) return 'outside';
  // an empty patch is nobody's: no file says that it may be written
  if (action.what === 'patch' && action.paths.length === 0) return 'outside';
  if (action.what === 'input' && action.confined && action.looser) return 'looser';
  if (!runsConfined(action, policy) && !isAllowedUnconfined(action, policy)) return 'unconfined';
  return approval === 'untrusted' && !isTrusted(action) ? 'untrusted' : null;
}

/** A person has allowed all commands of the session to do without the sandbox, where there is one. */
function isAllowedUnconfined(action: Action, policy: Policy): boolean {
  return action.what === 'command' && action.grants.unconfined === true && confines(policy);
}

function isTrusted(action: Action): boolean {
  return action.what === 'command' && action.judgement.knownSafe;
}

/**
 * What "for this session" would cover: the identical command in the same directory, run the same way; each of the same files; each permission. Nothing
 * for what is typed: leave for single letters would add up to leave for any word.
 */
export function keysOf(action: Action, confined: boolean): string[] {
  switch (action.what) {
    case 'command':
      // what destroys is asked about every time
      return action.judgement.risk === null ? [commandKey(action, confined)] : [];
    case 'patch':
      return action.paths.map(fileKey);
    case 'permissions':
      return grantKeysOf(action.grants);
    case 'input':
      return [];
  }
}
