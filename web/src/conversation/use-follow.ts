import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Follower, type Following } from './follower.ts';
import { onOwnMessage } from './own-message.ts';

/** Follows the end of a session's conversation; a message of one's own brings it into view. */
export function useFollow(
  sessionId: string,
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
  useEffect(() => onOwnMessage(sessionId, () => follower.current?.follow()), [sessionId]);
  return { ...state, follow: () => follower.current?.follow() };
}
