import type { CatalogEntry } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Age } from './age.tsx';
import { EntryMenu } from './entry-menu.tsx';
import { nameOf, programOf } from './entry-words.ts';
import styles from './line.module.css';
import { Line, LineLink, type LineProps } from './line.tsx';
import type { Changed, useChanges } from './use-changes.ts';

/** A session: what it is about, where it works, which program made it, and when it was last used. */
export function SessionRow(
  props: LineProps & {
    session: Changed;
    /** At how many of it something was found; null where that was not looked for. */
    places: number | null;
    to: string | null;
    changes: ReturnType<typeof useChanges>;
    onFork: (session: CatalogEntry) => void;
  },
) {
  const { session, changes } = props;
  const name = nameOf(session);
  if (session.deleted)
    return (
      <Line id={props.id} marked={props.marked}>
        <p className={styles.deleted}>
          <span>{t('sessions.left.deleted', { title: name })}</span>
          <Button tabIndex={props.marked ? 0 : -1} onClick={() => void changes.restore(session)}>
            {t('sessions.undo')}
          </Button>
        </p>
      </Line>
    );
  const program = programOf(session);
  return (
    <Line
      id={props.id}
      marked={props.marked}
      more={<EntryMenu session={session} reachable={props.marked} changes={changes} onFork={props.onFork} />}
    >
      <LineLink to={props.to} marked={props.marked} onChoose={props.onChoose}>
        <span className={styles.name}>
          <span title={name}>{name}</span>
          {session.open && <Chip>{t('catalog.open')}</Chip>}
          {session.archived && <Chip>{t('catalog.archived')}</Chip>}
        </span>
        <Age at={session.lastActivityAt} />
        <span className={styles.facts}>
          {session.cwd !== null && <code title={session.cwd}>{session.cwd}</code>}
          {program !== null && <span>{program}</span>}
          {props.places !== null && <span>{t('catalog.places', { count: props.places })}</span>}
        </span>
      </LineLink>
    </Line>
  );
}
