import { QUERY_LIMIT } from '@tscodex/shared/limits';
import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useHold } from '../inbox/use-hold.ts';
import { t } from '../messages/messages.ts';
import type { Scope } from '../state/catalog-actions.ts';
import styles from './all-sessions.module.css';
import type { CatalogProps } from './catalog-dialog.tsx';
import { CatalogNotes } from './catalog-notes.tsx';
import { keepCatalog, keptCatalog } from './kept-catalog.ts';
import { Results } from './results.tsx';
import { type Row, rowId, withoutHits } from './rows.ts';
import { ScopeChoice, type ScopeName } from './scope-choice.tsx';
import { useChanges } from './use-changes.ts';
import { useFound } from './use-found.ts';
import { useFreshList } from './use-fresh-list.ts';
import { useMarkedRow } from './use-marked-row.ts';
import { useOpenEntry } from './use-open-entry.ts';
import { useQuery } from './use-query.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';

/** A field, and below it the sessions: by day as long as it is empty, else what was found. */
export function AllSessions(props: CatalogProps) {
  const [kept] = useState(keptCatalog);
  const { query, isSettled, field } = useQuery(kept?.query ?? '');
  const [chosenScope, setScopeName] = useState<ScopeName>(kept?.scope ?? 'everywhere');
  // “here” may be a page that is in no workspace
  const scopeName = chosenScope === 'here' && props.workspaceId === null ? 'everywhere' : chosenScope;
  useEffect(() => keepCatalog({ query, scope: scopeName }), [query, scopeName]);
  const scope: Scope = {
    workspace: scopeName === 'here' ? props.workspaceId : null,
    archived: scopeName === 'archived',
  };
  const answered = useFound(scope, query);
  const changes = useChanges(props);
  const sections = withoutHits(answered.sections, (session) => changes.of(session).deleted);
  const found = { ...answered, sections, rows: sections.flatMap(({ rows }) => rows) };
  const opening = useOpenEntry(props);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const hold = useHold();

  const choose = (row: Row) => {
    if (row.kind === 'more') {
      // the next key goes into what comes
      marking.mark(found.rows[found.rows.indexOf(row) - 1]?.key ?? null);
      found.more?.();
    } else if (!changes.of(row.session).deleted && !opening.busy) {
      opening.open(changes.of(row.session), row.kind === 'hit' ? row.hit : null);
    }
  };
  // Enter does not choose what was found for fewer letters
  const marking = useMarkedRow(found.rows, isSettled && found.isCurrent, choose);
  const { marked } = marking;
  const refresh = () => {
    // Enter chooses what it would have chosen
    marking.mark(marked?.key ?? null);
    found.refresh();
  };
  // neither under a pointer nor above what one reads does anything move
  useFreshList(refresh, () => hold.held || changes.any || (list.current?.scrollTop ?? 0) > 0);

  if (opening.homeless) return <WorkspaceChoice opening={opening} session={opening.homeless.session} />;
  return (
    <>
      <div className={styles.search}>
        <Search size={16} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={t('catalog.search')}
          placeholder={t('catalog.search')}
          aria-autocomplete="list"
          aria-haspopup="grid"
          aria-expanded={found.rows.length > 0}
          aria-controls={listId}
          aria-activedescendant={marked ? rowId(listId, marked) : undefined}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={QUERY_LIMIT}
          ref={focusUnlessTouch}
          {...field}
          onKeyDown={marking.onKeyDown}
        />
      </div>
      <ScopeChoice
        scope={scopeName}
        hasWorkspace={props.workspaceId !== null}
        onChange={(name) => {
          setScopeName(name);
          marking.mark(null);
        }}
      />
      <Results
        id={listId}
        found={found}
        query={query}
        marked={marked}
        onChoose={choose}
        hold={hold.handlers}
        {...{ changes, opening, scope, list }}
      />
      <CatalogNotes
        indexing={found.indexing}
        problem={
          opening.problem === null ? changes.problem : t('sessions.notReopened', { reason: opening.problem })
        }
      />
      {changes.dialog}
    </>
  );
}

/** On a touch screen the keyboard would come up over what one may only want to choose from. */
function focusUnlessTouch(field: HTMLInputElement | null): void {
  if (matchMedia('(pointer: coarse)').matches) return;
  field?.focus();
  field?.select();
}
