import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Follower, type Following } from './follower.ts';

/** Follows the end of a session's conversation until the reader lets go; `follow` brings it into view. */
export function useFollow(
  view: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): Following & { follow: () => void } {
  const [state, setState] = useState<Following>({ following: true, away: false, newOutput: false });
  const follower = useRef<Follower | null>(null);
  useLayoutEffect(() => {
    if (!view.current || !content.current) return;
    const made = new Follower(view.current, content.current, setState);
    follower.current = made;
    return () => made.dispose();
  }, [view, content]);
  const follow = useCallback(() => follower.current?.follow(), []);
  return { ...state, follow };
}
