import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Follower, type Following } from './follower.ts';

/** What of a follower the conversation uses, also before it is there. */
export type Follow = Pick<Follower, 'follow' | 'letGo' | 'keepPlace'>;

type OnLost = { current: (item: { id: string; top: number }) => void };

/**
 * Follows the end of a session's conversation until the reader lets go; `follow` brings it into view. `detached`: the
 * end of what is shown is not that of the conversation; `toNewest` makes it so.
 */
export function useFollow(
  view: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): Following & {
  end: Follow;
  detach: (detached: boolean) => void;
  onFollow: { current: () => void };
  onLost: OnLost;
} {
  const [state, setState] = useState<Following>({ following: true, away: false, newOutput: false });
  const follower = useRef<Follower | null>(null);
  const onFollow = useRef<() => void>(() => undefined);
  const onLost: OnLost = useRef(() => undefined);
  useLayoutEffect(() => {
    if (!view.current || !content.current) return;
    const made = new Follower(
      ...([view.current, content.current, setState] as const),
      () => onFollow.current(),
      (item) => onLost.current(item),
    );
    follower.current = made;
    return () => made.dispose();
  }, [view, content]);
  const stable = useMemo(
    () => ({
      end: {
        follow: () => follower.current?.follow(),
        letGo: () => follower.current?.letGo(),
        keepPlace: () => follower.current?.keepPlace(),
      },
      detach: (detached: boolean) => {
        if (follower.current) follower.current.detached = detached;
      },
      onFollow,
      onLost,
    }),
    [],
  );
  return { ...state, ...stable };
}
