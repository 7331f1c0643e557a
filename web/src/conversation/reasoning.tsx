import type { Reasoning } from '@tscodex/shared/items';
import { ChevronRight } from 'lucide-react';
import { Markdown } from '../markdown/markdown.tsx';
import { t } from '../messages/messages.ts';
import { duration } from '../ui/quantities.ts';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import styles from './reasoning.module.css';
import { thoughtTitle } from './thought-title.ts';

/** That the agent thought, how long, and on request what its summary says. */
export function ReasoningView({ item }: ItemProps<Reasoning>) {
  const [open, setOpen] = useOpen(item.id, false);
  const text = item.summary.length > 0 ? item.summary.join('\n\n') : (item.text ?? '');
  const line = lineOf(item);
  if (text === '') return <div className={styles.line}>{line}</div>;
  return (
    <div className={styles.reasoning}>
      <button type="button" className={styles.line} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={13} aria-hidden="true" />
        {line}
      </button>
      {open && (
        <div className={styles.text}>
          <Markdown text={text} streaming={item.status === 'inProgress'} />
        </div>
      )}
    </div>
  );
}

function lineOf({ status, summary, startedAt, completedAt }: Reasoning): string {
  if (status === 'inProgress') {
    const about = thoughtTitle(summary.at(-1) ?? '');
    return about ? t('conversation.thinkingAbout', { about }) : t('conversation.thinking');
  }
  const ms = completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : 0;
  return ms < 1000 ? t('conversation.thoughtNow') : t('conversation.thought', { time: duration(ms) });
}
