import type { Approval } from '@tscodex/shared/asks';
import { ShieldOff, TriangleAlert } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { useShortPath } from '../ui/work-directory.ts';
import styles from './asks.module.css';
import { grantLines } from './grant-words.ts';

/** What allowing it means: what is dangerous about it, what it may then do, and what holds it in. */
export function Allowance({ approval }: { approval: Approval }) {
  const { risk, grants, cwd } = approval;
  return (
    <>
      {risk && (
        <p className={styles.risk}>
          <TriangleAlert size={15} aria-hidden="true" /> {t(`asks.risk.${risk}`)}
        </p>
      )}
      <GrantList grants={grants} />
      <p className={styles.facts}>
        <Hold approval={approval} />
        {cwd && <code>{t('asks.in', { cwd })}</code>}
      </p>
    </>
  );
}

function GrantList({ grants }: Pick<Approval, 'grants'>) {
  const short = useShortPath();
  const lines = grantLines(grants);
  if (lines.length === 0) return null;
  return (
    <div className={styles.grants}>
      <p>{t('asks.grants')}</p>
      <ul>
        {lines.map(({ words, path }) => (
          <li key={`${words} ${path}`}>
            {words} {path !== undefined && <code>{short(path)}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Hold({ approval: { grants, sandbox } }: { approval: Approval }) {
  const mode = sandbox === undefined || sandbox === 'none' ? null : sandbox;
  if (grants?.unconfined)
    return (
      <>
        <Unheld words={t('asks.outside')} />
        {mode !== null && <span>{t('asks.otherwise', { mode })}</span>}
      </>
    );
  if (mode !== null) return <span>{t('asks.held', { mode })}</span>;
  return sandbox === 'none' ? <Unheld words={t('asks.notConfined')} /> : null;
}

function Unheld({ words }: { words: string }) {
  return (
    <span className={styles.unconfined} title={t('asks.notConfinedHint')}>
      <ShieldOff size={12} aria-hidden="true" /> {words}
    </span>
  );
}
