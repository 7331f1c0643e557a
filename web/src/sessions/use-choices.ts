import type { BackendChoice, ModelChoice, ProfileChoice, SessionList } from '@tscodex/shared/workspace';
import { useEffect, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { useServices } from '../state/services.ts';

export type Choices = {
  models: readonly ModelChoice[];
  profiles: readonly ProfileChoice[];
  backends: readonly BackendChoice[];
};

/** What a new session can be started with, asked for anew: the configuration may have been edited. */
export function useChoices(workspace: string, known: readonly ModelChoice[]): Choices {
  const { api } = useServices();
  const [choices, setChoices] = useState<Choices>({ models: known, profiles: [], backends: [] });
  useEffect(() => {
    api.json<SessionList>('GET', urlPath('api', 'workspaces', workspace, 'sessions')).then(
      setChoices,
      // what was known before is offered then
      () => undefined,
    );
  }, [api, workspace]);
  return choices;
}
