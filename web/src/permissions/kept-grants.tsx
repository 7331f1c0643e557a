import type { SessionGrant } from '@tscodex/shared/asks';
import { useId } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { useTilde } from '../ui/home-directory.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { useAction } from '../ui/use-action.ts';
import { useShortPath } from '../ui/work-directory.ts';
import { type GrantLine, grantLines } from './grant-words.ts';
import styles from './kept-grants.module.css';
import { useGrants } from './use-grants.ts';

/** What people have allowed for the rest of the session, each to be taken back. `count`: how many that are. */
export function KeptGrants({ session, count }: { session: string; count: number }) {
  const title = useId();
  const { grants, problem, takeBack } = useGrants(session, count);
  const action = useAction();
  const failed = problem === null ? null : t('permissions.keptFailed', { reason: problem });
  const refused = action.problem === null ? null : t('permissions.notTakenBack', { reason: action.problem });
  return (
    <section aria-labelledby={title} className={styles.kept}>
      <h3 id={title}>{t('permissions.kept')}</h3>
      {(failed ?? refused) && (
        <p className={styles.problem} role="alert">
          {failed ?? refused}
        </p>
      )}
      <ul>
        {grants?.map((grant) => (
          <KeptGrant
            key={grant.id}
            grant={grant}
            busy={action.busy}
            onTakeBack={() => void action.run(() => takeBack(grant.id))}
          />
        ))}
      </ul>
    </section>
  );
}

function KeptGrant(props: { grant: SessionGrant; busy: boolean; onTakeBack: () => void }) {
  const { grant, busy } = props;
  const name = useId();
  const button = useId();
  const tilde = useTilde();
  const where = grant.cwd === undefined ? '' : t('permissions.kept.in', { cwd: tilde(grant.cwd) });
  const how = grant.sandbox === 'none' ? t('permissions.kept.outside') : '';
  return (
    <li>
      <div id={name} className={styles.what}>
        {grant.command !== undefined && (
          <code>
            <TrueText text={grant.command} />
          </code>
        )}
        <Lines grant={grant} />
      </div>
      <small>
        {[where, how].filter(Boolean).join(' · ')}
        {(where || how) && <br />}
        {grant.by === null ? t('permissions.kept.allowed') : t('permissions.kept.by', { by: grant.by })}
        {t('permissions.kept.joint')}
        <TimeAgo at={grant.at} />
      </small>
      <Button
        id={button}
        className={styles.back}
        aria-disabled={busy}
        aria-labelledby={`${button} ${name}`}
        onClick={props.onTakeBack}
      >
        {t('permissions.takeBack')}
      </Button>
    </li>
  );
}

/** The files that may be changed, or the single things that are allowed. */
function Lines({ grant }: { grant: SessionGrant }) {
  const short = useShortPath();
  const { paths = [], morePaths = 0 } = grant;
  const lines: GrantLine[] = [
    ...(grant.grants?.unconfined && grant.what === 'permissions'
      ? [{ words: t('permissions.grant.unconfined') }]
      : []),
    ...grantLines(grant.grants),
    ...paths.map((path) => ({ words: t('permissions.grant.change'), path })),
  ];
  const forAll = grant.what === 'permissions';
  return (
    <>
      {forAll && <p>{t('permissions.kept.all')}</p>}
      {lines.map(({ words, path }) => (
        <p key={`${words} ${path}`} data-part={forAll}>
          {words} {path !== undefined && <PathCode path={short(path)} />}
        </p>
      ))}
      {morePaths > 0 && <p>{t('permissions.kept.moreFiles', { count: morePaths })}</p>}
    </>
  );
}

function PathCode({ path }: { path: string }) {
  return (
    <code>
      <TrueText text={path} />
    </code>
  );
}
