/**
 * How a fork of a conversation reaches the session: it records nothing, shows only what it has done, and asks nobody.
 * Nobody looks on either, so neither a rule nor what people have allowed lets anything of it out of the sandbox.
 */
import type { EventBody } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import type { TurnPorts } from '../agent/turn-context.ts';
import { isUnconfined } from '../approvals/session-grants.ts';
import { Failure } from '../base/errors.ts';
import type { ResponseItem } from '../base/response-items.ts';
import type { ProcessManager } from '../exec/process-manager.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { BackendHost } from './backend.ts';

type About = {
  host: BackendHost;
  model: string;
  processes: ProcessManager;
  /** What it is to carry out. */
  inputs: readonly ResponseItem[];
  /** Hears of each command and patch that was carried out. */
  done(what: string): void;
};

/** For the model, where it wanted a person's permission. */
const NOBODY = 'nobody is here who could allow it; do without';

/** What people have allowed for the session holds; for a turn, only there. */
export function forkPorts(ports: TurnPorts, { host, model, processes, inputs, done }: About): TurnPorts {
  let waiting = [...inputs];
  const nothing = async () => undefined;
  const forSession = (key: string) => {
    if (isUnconfined(key)) return null;
    const allowed = host.allowedBy(key);
    return allowed?.how === 'session' ? allowed : null;
  };
  const allowed = () => {
    const { unconfined: _, ...grants } = host.allowedForSession();
    return grants;
  };
  return {
    ...ports,
    emit: () => undefined,
    record: nothing,
    takeInputs: async () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    news: async () => [],
    sending: nothing,
    used: (usage) => host.usedAside(usage, model),
    toolContext: (callId, itemId) => {
      const context = ports.toolContext(callId, itemId);
      return {
        ...context,
        policy: { ...context.policy, granted: (key) => forSession(key) !== null },
        rules: withoutLeave(context.rules),
        ...{ allowed, allowedBy: forSession },
        ask: { approve: async () => ({ allowed: false, reason: NOBODY }), question: refuse, form: refuse },
        ...{ processes, agents: null },
        emit: (event) => tell(event, done),
        setClock: refuse,
        begin: nothing,
        steerWaiting: () => false,
        onSteer: () => () => undefined,
      };
    },
  };
}

/** A rule that allows a command lets it out of the sandbox: here it runs as if there were none. */
function withoutLeave(rules: ToolContext['rules']): ToolContext['rules'] {
  return {
    judge: async (command, options) => {
      const judgement = await rules.judge(command, options);
      return judgement.rule === 'allow'
        ? { ...judgement, rule: null, proposal: null, direct: null }
        : judgement;
    },
    noRule: (command, judgement) => rules.noRule(command, judgement),
  };
}

function tell(event: EventBody, done: About['done']): void {
  if (event.type !== 'item.completed' || event.item.status === 'declined') return;
  const item = event.item as Item;
  if (item.type === 'commandExecution') done(item.command);
  if (item.type === 'fileChange') done(`apply_patch ${item.changes.map(({ path }) => path).join(' ')}`);
}

async function refuse(): Promise<never> {
  throw new Failure(
    'forbidden',
    'turn-hook.forbidden',
    'nobody is here: this cannot be done from TURN_HOOK.md',
  );
}
