import { type RefObject, useEffect } from 'react';
import { bringIntoView, mark, rangesIn, unmark } from './find-marks.ts';
import { elementOf } from './use-shown.ts';

type Finding = {
  words: string;
  /** The item one is at. */
  current: string | null;
  content: RefObject<HTMLElement | null>;
  view: RefObject<HTMLElement | null>;
  goTo: (item: string) => Promise<void>;
  reveal: (item: string) => void;
};

/** Marks where the words stand in what is in the page, and brings the item one is at into view, opened if need be. */
export function useFindMarks({ words, current, content, view, goTo, reveal }: Finding): void {
  useEffect(() => {
    const root = content.current;
    if (!root || words === '') return;
    const markAll = () => {
      const own = current === null ? null : elementOf(root, current);
      mark(rangesIn(root, words), own ? rangesIn(own, words) : []);
    };
    let frame = requestAnimationFrame(markAll);
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(markAll);
    });
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      unmark();
    };
  }, [words, current, content]);

  // once for each place, whatever is rendered meanwhile
  useEffect(() => {
    if (current === null) return;
    const leaving = new AbortController();
    const lead = async () => {
      await goTo(current);
      const item = await appeared(content, current, leaving.signal);
      if (!item || !view.current) return;
      if (rangesIn(item, words, 1).length === 0) reveal(current);
      const range = await rangeIn(item, words, leaving.signal);
      if (range) bringIntoView(range, view.current);
    };
    // what cannot be fetched is not gone to; the next step tries again
    lead().catch(() => undefined);
    return () => leaving.abort();
  }, [current, words]);
}

/** Frames to wait for what is about to be rendered. */
const FRAMES = 60;

async function appeared(content: RefObject<HTMLElement | null>, id: string, gone: AbortSignal) {
  return eventually(() => elementOf(content.current, id), gone);
}

async function rangeIn(item: Element, words: string, gone: AbortSignal): Promise<Range | null> {
  return eventually(() => rangesIn(item, words, 1)[0] ?? null, gone);
}

/** What `look` finds within some frames. */
async function eventually<T>(look: () => T | null, gone: AbortSignal): Promise<T | null> {
  for (let frame = 0; frame < FRAMES && !gone.aborted; frame++) {
    const found = look();
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
  return null;
}
