import type { Backend, BackendChoice } from '@tscodex/shared/workspace';
import { useId } from 'react';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import styles from './new-session-dialog.module.css';

const NAMES = {
  native: 'sessions.agentNative',
  codex: 'sessions.agentCodex',
  'codex-exec': 'sessions.agentExec',
} as const satisfies Record<Backend, string>;

const HINTS = { codex: 'sessions.codexHint', 'codex-exec': 'sessions.execHint' } as const;

/** What drives the session: what is to be known of the chosen one, and why another cannot be chosen. */
export function AgentChoice(props: {
  choices: readonly BackendChoice[];
  chosen: Backend;
  onChoose: (backend: Backend) => void;
}) {
  const { choices, chosen, onChoose } = props;
  const id = useId();
  const about = aboutOf(choices, chosen);
  return (
    <>
      <label htmlFor={id}>{t('sessions.agent')}</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={about.length > 0 ? `${id}-about` : undefined}
        onChange={(event) => onChoose(event.target.value as Backend)}
      >
        {choices.map((one) => (
          <option key={one.id} value={one.id} disabled={one.problem !== undefined}>
            {wordsOf(one)}
          </option>
        ))}
      </select>
      {about.length > 0 && (
        <div id={`${id}-about`} className={styles.about}>
          {about.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
    </>
  );
}

function wordsOf({ id, problem, version }: BackendChoice): string {
  const name = t(NAMES[id]);
  if (problem) return t('sessions.agentBroken', { name });
  return version === undefined ? name : t('sessions.agentVersion', { name, version });
}

function aboutOf(choices: readonly BackendChoice[], chosen: Backend): string[] {
  const notice = choices.find(({ id }) => id === chosen)?.notice;
  // one program that is missing is why several cannot be used
  const reasons = new Set(choices.flatMap(({ problem }) => (problem ? [serverSentence(problem)] : [])));
  return [
    ...(chosen === 'native' ? [] : [t(HINTS[chosen])]),
    ...(notice ? [serverSentence(notice)] : []),
    ...[...reasons].map((reason) => t('sessions.agentWhy', { name: 'Codex', reason })),
  ];
}
