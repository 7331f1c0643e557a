import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { changeSession } from '../state/session-actions.ts';

type Titled = { id: string; title: string | null };

/** Renaming sessions. What was typed is shown at once, until the server tells of another title or refuses. */
export function useRenameSession() {
  const { api } = useServices();
  const [typed, setTyped] = useState<{ id: string; before: string | null; title: string | null } | null>(
    null,
  );
  const [problem, setProblem] = useState<string | null>(null);

  const rename = ({ id, title: before }: Titled, text: string) => {
    setProblem(null);
    setTyped({ id, before, title: text === '' ? null : text });
    changeSession(api, id, { title: text }).catch((error: Error) => {
      setTyped(null);
      setProblem(t('sessions.notRenamed', { reason: error.message }));
    });
  };
  /** The title to show. */
  const titleOf = ({ id, title }: Titled) =>
    typed?.id === id && typed.before === title ? typed.title : title;

  return { rename, titleOf, problem };
}
