import { type CSSProperties, memo } from 'react';
import styles from './terminal-text.module.css';
import { type Run, type TerminalColor, terminalRuns } from './terminal-text.ts';

/** What a command printed, in its colours. Copied, it is plain text. */
export const TerminalText = memo(function TerminalText({ output }: { output: string }) {
  return terminalRuns(output).map((run, at) => {
    const key = `${at}`;
    return isPlain(run) ? (
      run.text
    ) : (
      <span key={key} className={run.decorations?.map((name) => styles[name]).join(' ')} style={styleOf(run)}>
        {run.text}
      </span>
    );
  });
});

function isPlain({ color, background, decorations }: Run): boolean {
  return !color && !background && !decorations;
}

function styleOf({ color, background }: Run): CSSProperties {
  return {
    ...(color && { color: cssColor(color) }),
    ...(background && { backgroundColor: cssColor(background) }),
  };
}

/** The 16 named colours are the theme's (`terminal-text.module.css`). */
function cssColor(color: TerminalColor): string {
  return 'rgb' in color ? color.rgb : `var(--${color.name})`;
}
