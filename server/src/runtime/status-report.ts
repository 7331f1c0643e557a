/** What `/status` tells: how the session is set up, how much room is left, what was used. */
import type { Usage } from '@tscodex/shared/events';
import { programOf } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';

type Details = Record<string, string | number>;

/** A line each, and all numbers by themselves for other languages; what is not known is left out. */
export function statusReport(state: SessionState): { text: string; details: Details } {
  const { model, effort, sandboxMode, approvalPolicy, networkAccess, usage } = state;
  const network = networkAccess ? 'on' : 'off';
  const called = [model ?? 'none', effort].filter(Boolean).join(' · ');
  const program = programOf(state.backend);
  const lines = [
    ...(program ? [['Agent', program]] : []),
    ['Model', called],
    ['Permissions', `sandbox ${sandboxMode}, approvals ${approvalPolicy}, network ${network}`],
    ...(usage ? usageLines(usage) : []),
  ];
  return {
    text: lines.map(([name = '', value]) => `${name.padEnd(13)}${value}`).join('\n'),
    details: {
      ...(program ? { program } : {}),
      ...{ model: called, sandbox: sandboxMode, approval: approvalPolicy, network },
      ...(usage ? usageDetails(usage) : {}),
    },
  };
}

type Known = NonNullable<SessionState['usage']>;

function usageLines({ turn, total, cost, unpriced, ...context }: Known): string[][] {
  const { contextTokens: used, contextWindow: window, contextEstimated } = context;
  const left = leftOf(context);
  const about = contextEstimated ? 'about ' : '';
  return [
    ...(left === undefined ? [] : [['Context', `${about}${left} % left: ${used} of ${window} tokens used`]]),
    ...(turn ? [['Latest turn', tokens(turn)]] : []),
    ['Session', tokens(total)],
    ...(cost
      ? [['Cost', `${amount(cost.total)} ${cost.currency}, latest turn ${amount(cost.turn)}`]]
      : unpriced
        ? [['Cost', `no price for ${named(unpriced)}`]]
        : []),
  ];
}

function usageDetails({ turn, total, cost, unpriced, ...context }: Known): Details {
  const { contextTokens, contextWindow } = context;
  const contextLeft = leftOf(context);
  return {
    ...(contextLeft === undefined || contextTokens === undefined || contextWindow === undefined
      ? {}
      : { contextLeft, contextTokens, contextWindow }),
    ...(turn ? counts('turn', turn) : {}),
    ...counts('session', total),
    ...(cost
      ? { cost: `${amount(cost.total)} ${cost.currency}`, turnCost: `${amount(cost.turn)} ${cost.currency}` }
      : {}),
    ...(unpriced ? { unpriced: named(unpriced) } : {}),
  };
}

/** In percent, of the two numbers that stand beside it. */
function leftOf({ contextTokens: used, contextWindow: window }: Partial<Known>): number | undefined {
  if (used === undefined || !window) return undefined;
  return Math.round(100 * Math.max(0, 1 - used / window));
}

function counts(of: string, { inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: Usage) {
  return {
    [`${of}Input`]: inputTokens,
    [`${of}Cached`]: cachedInputTokens,
    [`${of}Output`]: outputTokens,
    [`${of}Reasoning`]: reasoningTokens,
  };
}

function tokens({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: Usage): string {
  return (
    `${inputTokens} tokens in, ${cachedInputTokens} of them cached; ` +
    `${outputTokens} out, ${reasoningTokens} of them reasoning`
  );
}

function amount(cost: number): string {
  if (cost > 0 && cost < 0.0001) return '<0.0001';
  return cost.toFixed(cost === 0 || cost >= 1 ? 2 : 4);
}

function named(models: readonly string[]): string {
  return models.map((model) => model || 'a model that was not recorded').join(', ');
}
