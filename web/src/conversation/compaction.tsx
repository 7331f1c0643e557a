import type { Compaction } from '@tscodex/shared/items';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Markdown } from '../markdown/markdown.tsx';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { roundTokens } from '../usage/amounts.ts';
import styles from './compaction.module.css';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import { StatusMark } from './status-mark.tsx';

/** Where a summary took the place of the conversation for the model: why, what it brought, on request what it says. */
export function CompactionView({ item }: ItemProps<Compaction>) {
  const [open, setOpen] = useOpen(item.id, false);
  const bodyId = useId();
  const { status, summary } = item;
  if (status === 'failed') return <Failed item={item} />;
  const line = [lineOf(item), changeOf(item)].filter(Boolean).join(' · ');
  if (status !== 'completed' || !summary)
    return (
      <Rule>
        {status !== 'completed' && <StatusMark status={status} />}
        {line}
      </Rule>
    );
  return (
    <>
      <Rule>
        <button
          type="button"
          className={styles.head}
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={() => setOpen(!open)}
        >
          {line}
          <ChevronRight size={13} aria-hidden="true" />
        </button>
      </Rule>
      {open && (
        <div id={bodyId} className={styles.summary}>
          <p>{t('conversation.summary')}</p>
          {item.shortened !== undefined && <p>{t('conversation.shortened', { count: item.shortened })}</p>}
          <Markdown text={summary} streaming={false} />
        </div>
      )}
    </>
  );
}

function Rule({ children }: { children: ReactNode }) {
  return <div className={styles.rule}>{children}</div>;
}

function Failed({ item: { error, errorCode } }: { item: Compaction }) {
  return (
    <div className={styles.failed}>
      <StatusMark status="failed" />
      <div>
        <p>
          <b>{t('conversation.notCompacted')}</b>
        </p>
        {error !== undefined && <p>{serverSentence({ code: errorCode ?? '', message: error })}</p>}
        <p>{t('conversation.asBefore')}</p>
      </div>
    </div>
  );
}

function lineOf({ status, reason }: Compaction): string {
  if (status === 'inProgress') {
    if (reason === 'threshold') return t('conversation.compactingThreshold');
    return t(reason === 'overflow' ? 'conversation.compactingOverflow' : 'conversation.compacting');
  }
  if (status !== 'completed') return `${t('conversation.compactionStopped')} · ${t('conversation.asBefore')}`;
  if (reason === 'threshold') return t('conversation.compactedThreshold');
  return t(reason === 'overflow' ? 'conversation.compactedOverflow' : 'conversation.compacted');
}

/** What it brought; while it runs, what there is to be summed up. */
function changeOf({ status, tokensBefore, tokensAfter }: Compaction): string | null {
  if (tokensBefore === undefined) return null;
  const before = roundTokens(tokensBefore);
  if (status === 'inProgress') return t('usage.tokens', { tokens: before });
  if (status !== 'completed' || tokensAfter === undefined) return null;
  return t('conversation.fromTo', { before, after: roundTokens(tokensAfter) });
}
