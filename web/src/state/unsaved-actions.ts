import type { SessionActions } from './actions.ts';

/**
 * What can be done with a session that does not exist yet: say something, which creates one. All that is said by
 * these actions goes to that one; the next session takes new actions.
 */
export function unsavedActions(
  create: () => Promise<string>,
  actionsOf: (session: string) => SessionActions,
  onCreated: (session: string) => void,
): SessionActions {
  let creating: Promise<string> | null = null;
  const created = () => {
    creating ??= create().then(
      (session) => {
        onCreated(session);
        return session;
      },
      (problem: unknown) => {
        creating = null;
        throw problem;
      },
    );
    return creating;
  };
  const later = async () => {
    throw new Error('this session does not exist yet');
  };
  return {
    send: async (message) => actionsOf(await created()).send(message),
    changeInput: later,
    // what is not there yet does not wait anywhere
    withdrawInput: async () => undefined,
    interrupt: later,
    resume: later,
    answer: later,
    stopCommand: later,
    stopClock: later,
    page: later,
    find: later,
    output: later,
    change: later,
    models: async () => [],
    fork: later,
  };
}
