import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionChange } from '@tscodex/shared/workspace';
import { useRef, useState } from 'react';
import { useServices } from '../state/services.ts';
import { changeSession } from '../state/session-actions.ts';
import { type Chosen, changeOf, chosenOf, SETTINGS, type Setting } from './settings.ts';

/** What was chosen and is not in the session's state yet. `before`: what was. */
type Pending = Partial<Record<Setting, { value: string; before: string }>>;

/** What was refused last. */
type Problem = { setting: Setting; reason: string };

type Own = Pick<SessionState, 'ownPermissions' | 'givenPermissions'>;

/** A session's three settings, '' where it leaves one to its workspace: saved one by one as they are chosen, in that order. */
export function usePermissions(session: string, state: Own) {
  const { api } = useServices();
  const [pending, setPending] = useState<Pending>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const saved = useRef(Promise.resolve());
  const now = chosenOf(state.ownPermissions);
  // once the state says something else than it did, it is right, whoever changed it
  const moved = SETTINGS.filter((one) => pending[one] && pending[one].before !== now[one]);
  if (moved.length > 0) setPending(without(pending, moved));

  const choose = (setting: Setting, value: string) => {
    setPending((others) => ({ ...others, [setting]: { value, before: now[setting] } }));
    setProblem(null);
    const change = changeOf({ [setting]: value }) as SessionChange;
    saved.current = saved.current
      .then(() => changeSession(api, session, change))
      .catch((refusal: Error) => {
        setPending((others) => without(others, [setting]));
        setProblem({ setting, reason: refusal.message });
      });
  };
  const chosen = Object.fromEntries(SETTINGS.map((one) => [one, pending[one]?.value ?? now[one]])) as Chosen;
  return { chosen, given: chosenOf(state.givenPermissions), choose, problem };
}

function without(pending: Pending, settings: readonly Setting[]): Pending {
  return Object.fromEntries(Object.entries(pending).filter(([one]) => !settings.includes(one as Setting)));
}
