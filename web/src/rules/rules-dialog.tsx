import type { Rule, RuleList } from '@tscodex/shared/permissions';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { isAboutGit } from '../asks/workspace-code.ts';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { useAction } from '../ui/use-action.ts';
import { patternText } from './rule-text.ts';
import styles from './rules-dialog.module.css';
import { useRules } from './use-rules.ts';

/** Every rule there is, what it decides and where it is written, to be revoked; and what could not be read. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const { list, problem, revoke } = useRules();
  const [revoking, setRevoking] = useState<Rule | null>(null);
  const action = useAction();
  return (
    <Dialog title={t('rules.title')} onClose={onClose}>
      <div className={styles.body}>
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {t('rules.failed', { reason: problem })}
          </p>
        )}
        {action.problem !== null && (
          <p className={styles.problem} role="alert">
            {t('rules.notRevoked', { reason: action.problem })}
          </p>
        )}
        {list !== null && <Problems problems={list.problems} />}
        {list === null && problem === null && <p>{t('rules.loading')}</p>}
        {list !== null && <RuleItems list={list} onRevoke={setRevoking} />}
      </div>
      {revoking && (
        <ConfirmDialog
          title={t('rules.revokeTitle', { rule: patternText(revoking) })}
          text={t('rules.revokeText', {
            what: t(`rules.revoke.${revoking.decision}`),
            place: placeOf(revoking),
          })}
          confirm={t('rules.revoke')}
          onConfirm={() => {
            setRevoking(null);
            void action.run(() => revoke(revoking.id));
          }}
          onCancel={() => setRevoking(null)}
        />
      )}
    </Dialog>
  );
}

function RuleItems({ list, onRevoke }: { list: RuleList; onRevoke: (rule: Rule) => void }) {
  const { rules, dir } = list;
  if (rules.length === 0)
    return (
      <div className={styles.nothing}>
        <ScrollText size={22} aria-hidden="true" />
        <p>{t('rules.empty')}</p>
        <small>{t('rules.emptyText', { dir })}</small>
      </div>
    );
  return (
    <>
      <p className={styles.about}>{t('rules.about', { dir })}</p>
      <ul className={styles.list} aria-label={t('rules.title')}>
        {rules.map((rule) => (
          <li key={rule.id}>
            <code className={styles.pattern}>
              <TrueText text={patternText(rule)} />
            </code>
            <span className={styles.decision} data-decision={rule.decision}>
              {t(`rules.decision.${rule.decision}`)}
            </span>
            {rule.justification && <p className={styles.why}>{rule.justification}</p>}
            {allowsGit(rule) && <p className={styles.why}>{t('rules.git')}</p>}
            <small>
              {placeOf(rule)}
              {rule.made && <Maker made={rule.made} />}
            </small>
            <Button
              className={styles.revoke}
              aria-label={t('rules.revokeRule', { rule: patternText(rule) })}
              onClick={() => onRevoke(rule)}
            >
              {t('rules.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The program may be one of several. */
function allowsGit({ decision, pattern: [program = ''] }: Rule): boolean {
  return decision === 'allow' && [program].flat().some((word) => isAboutGit([word]));
}

/** Who made it here; of others the files say nothing. */
function Maker({ made: { by, at } }: { made: NonNullable<Rule['made']> }) {
  return (
    <>
      {' · '}
      {by === null ? t('rules.made') : t('rules.madeBy', { by })}, <TimeAgo at={at} />
    </>
  );
}

function Problems({ problems }: Pick<RuleList, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <section className={styles.unreadable} aria-label={t('rules.unreadable')}>
      <h3>{t('rules.unreadable')}</h3>
      <ul>
        {problems.map(({ file, line, message }) => (
          <li key={`${file} ${line} ${message}`}>
            <small>{placeOf({ file, line })}</small> {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

function placeOf({ file, line }: Pick<Rule, 'file' | 'line'>): string {
  return t('rules.place', { file, line: String(line) });
}
