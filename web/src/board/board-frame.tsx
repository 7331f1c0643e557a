import { useEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import styles from './board-frame.module.css';
import { readBoardMessage, type Scroll, scrollTo } from './board-messages.ts';
import { guardFocus } from './focus-guard.ts';

/**
 * The board's page. A new `version` is loaded out of sight, scrolled to where the old one was, and takes its
 * place when it is there: nothing flashes, nothing moves. It can run scripts and reach nothing. `still`: no script
 * runs, so nothing can take the focus, either; a browser lets even a frame that is `inert` do that.
 */
export function BoardFrame(props: { src: string; version: string; still?: boolean }) {
  const { src, version, still = false } = props;
  const [shown, setShown] = useState(version);
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const scroll = useRef<Scroll>({ x: 0, y: 0 });

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      const sender = [...frames.current].find(([, frame]) => frame.contentWindow === source);
      const message = sender && readBoardMessage(data);
      if (!message) return;
      // an opaque origin has no name to address; there is nothing secret in how far one has scrolled
      if (message.type === 'ready') sender[1].contentWindow?.postMessage(scrollTo(scroll.current), '*');
      else if (sender[0] === shown) scroll.current = message.scroll;
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [shown]);

  const around = useRef<HTMLDivElement>(null);
  useEffect(() => (around.current ? guardFocus(around.current) : undefined), []);

  // an element for each version: a new address in the same one would be a step in the browser's history
  const versions = version === shown ? [shown] : [shown, version];
  return (
    <div ref={around} className={styles.frames}>
      {versions.map((name) => (
        <iframe
          key={name}
          ref={(frame) => {
            if (frame) frames.current.set(name, frame);
            return () => {
              frames.current.delete(name);
            };
          }}
          title={name === shown ? t('board.title') : t('board.loading')}
          sandbox={still ? '' : 'allow-scripts'}
          src={src}
          inert={name !== shown}
          onLoad={() => setShown(name)}
        />
      ))}
    </div>
  );
}
