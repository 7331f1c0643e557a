/** How a fork of a conversation reaches the session: it records and shows nothing, and asks nobody. */
import type { TurnPorts } from '../agent/turn-context.ts';
import { Failure } from '../base/errors.ts';
import type { ResponseItem } from '../base/response-items.ts';
import type { ProcessManager } from '../exec/process-manager.ts';
import type { BackendHost } from './backend.ts';

type About = {
  host: BackendHost;
  model: string;
  processes: ProcessManager;
  /** What it is to carry out. */
  inputs: readonly ResponseItem[];
};

/** For the model, where it wanted a person's permission. */
const NOBODY = 'nobody is here who could allow it; do without';

/** What people have allowed for the session holds; for a turn, only there. */
export function forkPorts(ports: TurnPorts, { host, model, processes, inputs }: About): TurnPorts {
  let waiting = [...inputs];
  const nothing = async () => undefined;
  const forSession = (key: string) => {
    const allowed = host.allowedBy(key);
    return allowed?.how === 'session' ? allowed : null;
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
        ...{ allowed: host.allowedForSession, allowedBy: forSession },
        ask: { approve: async () => ({ allowed: false, reason: NOBODY }), question: refuse },
        processes,
        emit: () => undefined,
        setClock: refuse,
        begin: nothing,
        steerWaiting: () => false,
        onSteer: () => () => undefined,
      };
    },
  };
}

async function refuse(): Promise<never> {
  throw new Failure(
    'forbidden',
    'turn-hook.forbidden',
    'nobody is here: this cannot be done from TURN_HOOK.md',
  );
}
