import { type ComponentType, lazy, type MouseEvent, Suspense } from 'react';
import { useLanguage } from '../messages/spoken.ts';
import { copyCode } from './copy-code.ts';
import styles from './markdown.module.css';
import { toggleWrap } from './wrap-code.ts';

interface MarkdownProps {
  /** GitHub's Markdown with TeX. Untrusted. */
  text: string;
  /** True while more text may follow. */
  streaming: boolean;
}

/** The parser comes after the first paint; until then, and where it cannot be fetched, the text is shown as it is. */
const Rendered = lazy(
  (): Promise<{ default: ComponentType<MarkdownProps> }> =>
    import('./rendered.tsx').then(
      (module) => ({ default: module.Rendered }),
      () => ({ default: PlainText }),
    ),
);

/** A text from a model or a person, rendered. Safe with any text; work per delta does not grow with the text. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const language = useLanguage(); // the blocks that are kept have buttons in it
  const onClick = (event: MouseEvent) => {
    toggleWrap(event.target);
    void copyCode(event.target);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: hears the clicks of the buttons inside
    <div className={styles.markdown} onClick={onClick}>
      <Suspense fallback={<PlainText text={text} />}>
        <Rendered key={language} text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
}

function PlainText({ text }: Pick<MarkdownProps, 'text'>) {
  return <p className={styles.plain}>{text}</p>;
}
