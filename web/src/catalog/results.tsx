// biome-ignore-all lint/a11y/useSemanticElements: lines with a menu, chosen from a field; rows of a table lay themselves out
import { type RefObject, useEffect } from 'react';
import type { useHold } from '../inbox/use-hold.ts';
import { t } from '../messages/messages.ts';
import type { Scope } from '../state/catalog-actions.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { HitRow } from './hit-row.tsx';
import { Line, LineLink } from './line.tsx';
import { ListEnd } from './list-end.tsx';
import styles from './results.module.css';
import { type Row, rowId, sessionsIn } from './rows.ts';
import { SessionRow } from './session-row.tsx';
import type { useChanges } from './use-changes.ts';
import type { useFound } from './use-found.ts';
import type { useOpenEntry } from './use-open-entry.ts';

type Props = {
  id: string;
  found: ReturnType<typeof useFound>;
  scope: Scope;
  query: string;
  marked: Row | null;
  changes: ReturnType<typeof useChanges>;
  opening: ReturnType<typeof useOpenEntry>;
  onChoose: (row: Row) => void;
  list: RefObject<HTMLDivElement | null>;
  /** Of a pointer that comes over the lines, or leaves them. */
  hold: ReturnType<typeof useHold>['handlers'];
};

/** The lines under their headings, and what is to be said where there are none, or not all. */
export function Results(props: Props) {
  const { found, scope, query, changes } = props;
  const { problems } = found;
  const { list } = props;
  // what is found for other words begins at its top
  useEffect(() => void list.current?.scrollTo(0, 0), [query, scope.archived, scope.workspace]);

  // lines that are there stay, when only asking for them once more has failed
  const failed = problems.list !== null && !found.isCurrent;
  const isStale = problems.list !== null && found.isCurrent;
  const isEmpty = found.rows.length === 0;
  const isOver = found.isCurrent && !found.searching;
  return (
    <div ref={list} className={styles.list} {...props.hold} aria-busy={!isOver && !failed}>
      {failed ? (
        <Notice role="alert" text={t('catalog.notListed', { reason: problems.list ?? '' })}>
          <Button onClick={found.again}>{t('ui.tryAgain')}</Button>
        </Notice>
      ) : (
        <div id={props.id} role="grid" aria-label={t('catalog.title')}>
          {found.sections.map(({ title, rows }) => (
            <div key={title} role="rowgroup" aria-label={title}>
              <div className={styles.heading} aria-hidden="true">
                {title}
              </div>
              {rows.map((row) => (
                <AnyRow key={row.key} row={row} {...props} />
              ))}
            </div>
          ))}
        </div>
      )}
      {isEmpty && !isOver && !failed && <Skeleton />}
      {isEmpty && isOver && problems.search === null && (
        <p className={styles.none}>{nothing(scope, query, found.indexing !== null)}</p>
      )}
      {!isEmpty && found.searching && <p className={styles.late}>{t('catalog.searching')}</p>}
      {problems.search !== null && !failed && (
        <p className={styles.problem} role="alert">
          {t('catalog.notSearched', { reason: problems.search })}{' '}
          <Button onClick={found.again}>{t('ui.tryAgain')}</Button>
        </p>
      )}
      {found.isFound && found.cut && <p className={styles.quiet}>{t('catalog.cut')}</p>}
      {found.isFound && problems.more !== null && !failed && (
        <p className={styles.problem} role="alert">
          {t('catalog.notListed', { reason: problems.more })}{' '}
          <Button onClick={() => found.more?.()}>{t('ui.tryAgain')}</Button>
        </p>
      )}
      {!found.isFound && found.more && !found.loadingMore && (
        <ListEnd onNear={found.more} problem={problems.more} />
      )}
      {isStale && (
        <p className={`${styles.problem} ${styles.stale}`} role="alert">
          {t('catalog.notListed', { reason: problems.list ?? '' })}{' '}
          <Button onClick={found.again}>{t('ui.tryAgain')}</Button>
        </p>
      )}
      <p className="visually-hidden" role="status">
        {isOver &&
          query !== '' &&
          // of what is not all shown nobody knows how many there are
          t(found.cut || found.more ? 'catalog.countedCut' : 'catalog.counted', {
            count: sessionsIn(found.rows, (session) => changes.of(session).deleted),
          })}
      </p>
    </div>
  );
}

function AnyRow({ row, ...props }: Props & { row: Row }) {
  const { changes, opening } = props;
  const line = {
    id: rowId(props.id, row),
    marked: row.key === props.marked?.key,
    onChoose: () => props.onChoose(row),
  };
  if (row.kind === 'more')
    return (
      <Line {...line} kind="more">
        <LineLink to={null} marked={line.marked} onChoose={line.onChoose}>
          {t('catalog.moreTitles')}
        </LineLink>
      </Line>
    );
  const session = changes.of(row.session);
  const to = opening.placeOf(session, row.kind === 'hit' ? row.hit : null);
  if (row.kind === 'hit') return <HitRow {...line} to={to} hit={row.hit} />;
  return <SessionRow {...line} {...{ to, session, changes }} places={row.places} onFork={opening.fork} />;
}

function nothing({ archived, workspace }: Scope, query: string, isReading: boolean): string {
  if (isReading) return t('catalog.noneYet');
  if (query !== '') return t('catalog.noneFound', { query });
  if (archived) return t('catalog.noneArchived');
  return t(workspace === null ? 'catalog.none' : 'catalog.noneHere');
}
