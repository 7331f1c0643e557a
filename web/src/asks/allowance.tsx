import type { Approval } from '@tscodex/shared/asks';
import { ShieldOff, TriangleAlert } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { grantLines } from '../permissions/grant-words.ts';
import { useTilde } from '../ui/home-directory.ts';
import { TrueText } from '../ui/true-text.tsx';
import { useShortPath } from '../ui/work-directory.ts';
import styles from './asks.module.css';

type Props = {
  approval: Approval;
  /** What holds the session's commands in. */
  held: string | null;
};

/** What allowing it means: what is dangerous about it, what it may then do, and what holds it in. */
export function Allowance({ approval, held }: Props) {
  const { what, risk, cwd } = approval;
  const tilde = useTilde();
  return (
    <>
      {risk && (
        <p className={styles.risk}>
          <TriangleAlert size={15} aria-hidden="true" /> {t(`asks.risk.${risk}`)}
        </p>
      )}
      <GrantList approval={approval} />
      {what !== 'permissions' && (
        <p className={styles.facts}>
          <Hold approval={approval} held={held} />
          {cwd && (
            <code>
              <TrueText text={t('asks.in', { cwd: tilde(cwd) })} />
            </code>
          )}
        </p>
      )}
    </>
  );
}

function GrantList({ approval: { what, grants } }: Pick<Props, 'approval'>) {
  const short = useShortPath();
  const lines = grantLines(grants);
  if (lines.length === 0) return null;
  return (
    <div className={styles.grants}>
      <p>{t(what === 'patch' ? 'asks.grantsPatch' : 'asks.grants')}</p>
      <ul>
        {lines.map(({ words, path }) => (
          <li key={`${words} ${path}`}>
            {what !== 'patch' && words}{' '}
            {path !== undefined && (
              <code>
                <TrueText text={short(path)} />
              </code>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Hold({ approval: { what, grants, sandbox }, held }: Props) {
  if (grants?.unconfined)
    return (
      <>
        <Unheld words={t('asks.outside')} />
        {held !== null && <span>{t('asks.otherwise', { mode: held })}</span>}
      </>
    );
  if (sandbox === 'none') return <Unheld words={t('asks.notConfined')} />;
  // a patch does nothing but what is shown of it
  return sandbox === undefined || what === 'patch' ? null : <span>{t('asks.held', { mode: sandbox })}</span>;
}

function Unheld({ words }: { words: string }) {
  return (
    <span className={styles.unconfined} title={t('asks.notConfinedHint')}>
      <ShieldOff size={12} aria-hidden="true" /> {words}
    </span>
  );
}
