/** The name of the browser's tab: what the page is called, behind a mark for what has come up. */
import { useEffect } from 'react';

/** Module state, because the tab has one name. */
const shown = { mark: '', title: '' };

/** Names the browser's tab while the component is shown. */
export function useTitle(title: string): void {
  useShown({ title });
}

/** Puts a mark in front of whatever the tab is called. */
export function useTitleMark(mark: string): void {
  useShown({ mark });
}

function useShown({ title, mark }: Partial<typeof shown>): void {
  useEffect(() => {
    Object.assign(shown, title === undefined ? { mark } : { title });
    document.title = [shown.mark, shown.title].filter(Boolean).join(' ');
  }, [title, mark]);
}
