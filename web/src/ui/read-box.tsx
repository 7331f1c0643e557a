import { useLayoutEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { classes } from './classes.ts';
import styles from './read-box.module.css';
import { TrueText } from './true-text.tsx';

/**
 * A text to decide by, in a box that scrolls. Where not all of it is in view, it says how much there is, and an edge
 * shows that more lies below.
 */
export function ReadBox({ text, className }: { text: string; className?: string | undefined }) {
  const box = useRef<HTMLPreElement>(null);
  const { overflows, atEnd } = useOverflow(box, text);
  return (
    <div className={styles.around} data-more={overflows && !atEnd}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre ref={box} className={classes(className)} tabIndex={0}>
        <TrueText text={text} />
      </pre>
      {/* there for as long as it scrolls, so that nothing moves at its end */}
      {overflows && (
        <p className={styles.all}>
          {t('ui.linesInAll', { count: text.split('\n').length, characters: text.length })}
        </p>
      )}
    </div>
  );
}

/** Looked at anew when the box or what is in it becomes another. */
function useOverflow(
  box: { current: HTMLElement | null },
  text: string,
): { overflows: boolean; atEnd: boolean } {
  const [state, setState] = useState({ overflows: false, atEnd: true });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const overflows = scrollHeight > clientHeight + 1;
      const atEnd = scrollTop + clientHeight >= scrollHeight - 1;
      setState((before) =>
        before.overflows === overflows && before.atEnd === atEnd ? before : { overflows, atEnd },
      );
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box, text]);
  return state;
}
