import type { AskBrief } from '@tscodex/shared/asks';
import { ShieldOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { grantLines } from '../permissions/grant-words.ts';
import { useTilde } from '../ui/home-directory.ts';
import { TrueText } from '../ui/true-text.tsx';
import styles from './inbox-list.module.css';
import type { Waiting } from './waiting.ts';

/** What one has to know to decide: what is dangerous, what it may do, what holds it in, and where it runs. */
export function InboxFacts({ waiting: { ask } }: { waiting: Waiting }) {
  const tilde = useTilde();
  if (ask === null) return <p className={styles.facts}>{t('inbox.pausedText')}</p>;
  const facts = factsOf(ask, tilde);
  return (
    <>
      {ask.risk && (
        <p className={styles.risk}>
          <TriangleAlert size={13} aria-hidden="true" /> {t(`asks.risk.${ask.risk}`)}
        </p>
      )}
      {facts.length > 0 && <p className={styles.facts}>{facts}</p>}
    </>
  );
}

function factsOf(
  { what, sandbox, grants, cwd, cut }: AskBrief,
  tilde: (path: string) => string,
): ReactNode[] {
  const facts: ReactNode[] = grantLines(grants).map(({ words, path }) => (
    <span key={`${words} ${path}`}>
      {what === 'patch' ? t('inbox.outside') : t('inbox.alsoMay', { words })}{' '}
      {path !== undefined && (
        <code>
          <TrueText text={tilde(path)} />
        </code>
      )}
    </span>
  ));
  if (what !== 'command') return cut ? [...facts, <Cut key="cut" />] : facts;
  const unheld = grants?.unconfined ? 'asks.outside' : sandbox === 'none' ? 'asks.notConfined' : null;
  if (unheld !== null)
    facts.unshift(
      <span key="held" className={styles.unconfined} title={t('asks.notConfinedHint')}>
        <ShieldOff size={12} aria-hidden="true" /> {t(unheld)}
      </span>,
    );
  if (cwd !== undefined)
    facts.push(
      <code key="cwd">
        <TrueText text={t('asks.in', { cwd: tilde(cwd) })} />
      </code>,
    );
  if (cut) facts.push(<Cut key="cut" />);
  return facts;
}

function Cut() {
  return <span>{t('inbox.cut')}</span>;
}
