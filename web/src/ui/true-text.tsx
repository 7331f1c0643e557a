import { type TextPart, textParts } from '@tscodex/shared/unseen-text';
import { Fragment, useMemo } from 'react';
import { t } from '../messages/messages.ts';
import styles from './true-text.module.css';

/**
 * A text of others, shown as what it is: left to right in the order it has, with a chip for what would not be seen.
 * Selecting and copying gives the text itself. `prose`: it is to be read, not run, so words may run right to left.
 */
export function TrueText({ text, prose = false }: { text: string; prose?: boolean }) {
  const parts = useMemo(() => textParts(text), [text]);
  return (
    <span className={prose ? styles.prose : styles.text}>
      {parts.map((part, at) => {
        if (part.kind === 'plain') return part.text;
        if (part.kind !== 'emptyLines') return <Unseen key={`${at}`} part={part} />;
        // on a line of its own, between the ends of line that are left
        const before = at === 0 ? '' : '\n';
        const between = { ...part, text: part.text.slice(before.length, -1) };
        return (
          <Fragment key={`${at}`}>
            {before}
            <Unseen part={between} />
            {'\n'}
          </Fragment>
        );
      })}
    </span>
  );
}

/** The name is drawn and the text is there, out of sight. */
function Unseen({ part }: { part: Exclude<TextPart, { kind: 'plain' }> }) {
  return (
    <span className={styles.unseen} data-shows={nameOf(part)}>
      <span>{part.text}</span>
    </span>
  );
}

function nameOf(part: Exclude<TextPart, { kind: 'plain' }>): string {
  const { count } = part;
  if (part.kind === 'sign') return count === 1 ? part.code : `${part.code} × ${count}`;
  return t(part.kind === 'blanks' ? 'ui.blanks' : 'ui.emptyLines', { count });
}
