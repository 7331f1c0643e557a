import type { ConfigReport, Problem } from '@tscodex/shared/workspace';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import styles from './config-note.module.css';

/** What is wrong with the files of the configuration, until they are corrected; less urgent: what of them is left out. */
export function ConfigNote({ report: { problems, notices } }: { report: ConfigReport }) {
  return (
    <>
      {problems.length > 0 && (
        <div className={styles.broken} role="alert">
          <strong>{t('workspaces.configBroken')}</strong>
          <Sentences of={problems} />
        </div>
      )}
      {notices.length > 0 && (
        <details className={styles.notices}>
          <summary>{t('workspaces.configNotices', { count: notices.length })}</summary>
          <Sentences of={notices} />
        </details>
      )}
    </>
  );
}

function Sentences({ of }: { of: readonly Problem[] }) {
  return (
    <ul>
      {of.map((one) => (
        <li key={one.message}>{serverSentence(one)}</li>
      ))}
    </ul>
  );
}
