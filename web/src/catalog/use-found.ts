import { useCallback, useMemo, useState } from 'react';
import { isSearch, listPath, type Said, type Scope, saidPath } from '../state/catalog-actions.ts';
import { foundSections, listSections, type Section } from './rows.ts';
import { useAnswer } from './use-answer.ts';
import { useEntries } from './use-entries.ts';
import { useIndexing } from './use-indexing.ts';

/** What there is to show of a scope: everything, or what was found by title and in what was said. */
export function useFound(scope: Scope, query: string) {
  const listPathNow = listPath(scope, query);
  const listed = useEntries(listPathNow);
  const saidPathNow = query === '' ? null : saidPath(scope, query);
  const said = useAnswer<Said>(saidPathNow);
  const [now] = useState(() => new Date());

  const isFound = listed.answered !== null && isSearch(listed.answered);
  const { sessions } = listed;
  const hasMore = listed.more !== null;
  const sections = useMemo((): Section[] => {
    if (!isFound) return listSections(sessions ?? [], now);
    return foundSections(sessions ?? [], hasMore, said.answer);
  }, [isFound, sessions, hasMore, said.answer, now]);

  const { again: listAgain } = listed;
  const { again: searchAgain } = said;
  const again = useCallback(() => {
    listAgain();
    searchAgain();
  }, [listAgain, searchAgain]);
  return {
    sections,
    rows: useMemo(() => sections.flatMap(({ rows }) => rows), [sections]),
    /** Whether the list is the answer to what is asked for now. */
    isCurrent: listed.answered === listPathNow,
    isFound,
    /** What was said is still being looked for. */
    searching: saidPathNow !== null && said.answered !== saidPathNow && said.problem === null,
    /** There is more than is shown of what was said. */
    cut: said.answer?.cut === true,
    indexing: useIndexing(listed.indexing, again),
    more: listed.more,
    loadingMore: listed.loading,
    problems: { list: listed.problem, search: said.problem, more: listed.moreProblem },
    again,
    /** The sessions once more, without what was said. */
    refresh: listAgain,
  };
}
