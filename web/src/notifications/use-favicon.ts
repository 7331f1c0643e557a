import { useEffect } from 'react';
import { type Badge, badgedIcon } from './favicon.ts';

/** Shows the badge on the tab's icon; gone with the component. */
export function useFavicon({ waiting, news }: Badge): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const badged = badgedIcon({ waiting, news });
    if (!link || badged === null) return;
    const plain = link.href;
    link.href = badged;
    return () => {
      link.href = plain;
    };
  }, [waiting, news]);
}
