import { useEffect } from 'react';

/** Names the browser tab while the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
