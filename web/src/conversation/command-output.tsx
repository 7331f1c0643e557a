import type { CommandExecution } from '@tscodex/shared/items';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { byteSize } from '../ui/quantities.ts';
import { useAction } from '../ui/use-action.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './command-output.module.css';
import { newestLines, outputParts } from './output-parts.ts';
import { TerminalText } from './terminal-text.tsx';

/** What a command printed: its newest lines while it runs, then all of it or its two ends. */
export function CommandOutput(props: {
  item: CommandExecution;
  loadAll: (itemId: string) => Promise<string>;
}) {
  const { item } = props;
  const [all, setAll] = useState<string | null>(null);
  const label = t('conversation.output', { command: item.command.slice(0, 60) });
  if (item.status === 'inProgress') return <LiveOutput label={label} output={item.output} />;
  if (item.output === '') return <p className={styles.none}>{t('conversation.noOutput')}</p>;
  const { head, leftOut, tail } = outputParts(item);
  if (all !== null || leftOut === 0)
    return (
      <CodeBlock label={label}>
        <TerminalText output={all ?? head + tail} />
      </CodeBlock>
    );
  return (
    <CodeBlock label={label}>
      <TerminalText output={head} />
      <LeftOut bytes={leftOut} load={async () => setAll(await props.loadAll(item.id))} />
      <TerminalText output={tail} />
    </CodeBlock>
  );
}

/** Stays at its end by layout alone: what stands last in a reversed column is where its scrolling starts. */
function LiveOutput({ label, output }: { label: string; output: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.live} aria-label={label} tabIndex={0} data-scrolls>
      <div>
        <TerminalText output={newestLines(output)} />
      </div>
    </section>
  );
}

function LeftOut({ bytes, load }: { bytes: number; load: () => Promise<void> }) {
  const { busy, problem, run } = useAction();
  return (
    <div className={styles.leftOut}>
      <span>{t('conversation.leftOut', { size: byteSize(bytes) })}</span>
      <Button look="quiet" data-shows-more disabled={busy} onClick={() => run(load)}>
        {t('conversation.showAll')}
      </Button>
      {problem && <span role="alert">{problem}</span>}
    </div>
  );
}
