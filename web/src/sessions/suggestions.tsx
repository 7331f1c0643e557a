import { t } from '../messages/messages.ts';
import { useSuggest } from '../state/suggestion.ts';
import styles from './suggestions.module.css';

const forDemo = ['sessions.tryTour', 'sessions.tryFiles', 'sessions.tryQuestion'] as const;
const forAgent = ['sessions.tryExplain', 'sessions.tryImprove', 'sessions.tryBoard'] as const;

/** What one may begin with. A press puts it into the composer; it is sent by the person. */
export function Suggestions({ demo }: { demo: boolean }) {
  const suggest = useSuggest();
  return (
    <ul className={styles.list} aria-label={t('sessions.suggestions')}>
      {(demo ? forDemo : forAgent).map((key) => (
        <li key={key}>
          <button type="button" onClick={() => suggest(t(key))}>
            {t(key)}
          </button>
        </li>
      ))}
    </ul>
  );
}
