import { QUERY_LIMIT } from '@tscodex/shared/limits';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/is-composing.ts';
import styles from './find-bar.module.css';
import { useFind } from './use-find.ts';
import { useFindMarks } from './use-find-marks.ts';

type Props = {
  field: RefObject<HTMLInputElement | null>;
  actions: SessionActions;
  content: RefObject<HTMLElement | null>;
  view: RefObject<HTMLElement | null>;
  /** Brings an item into view, wherever it is. */
  goTo: (item: string) => Promise<void>;
  /** Opens what of an item is closed. */
  reveal: (item: string) => void;
  onClose: () => void;
};

/** Finds words in the whole conversation. Enter goes to the next place, Shift+Enter to the one before. */
export function FindBar(props: Props) {
  const { field, actions, onClose } = props;
  const [typed, setTyped] = useState('');
  const [composing, setComposing] = useState(false);
  /** What was typed when an input method began: its letters are not words yet. */
  const [words, setWords] = useState('');
  const { found, current, at, step, problem } = useFind(actions, words);
  useFindMarks({ ...props, words, current: found ? current : null });
  useEffect(() => {
    field.current?.focus();
  }, [field]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') onClose();
    // on a button it presses that
    else if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className={styles.bar} onKeyDown={onKeyDown}>
      <input
        ref={field}
        className={styles.field}
        type="text"
        enterKeyHint="search"
        aria-label={t('conversation.find')}
        placeholder={t('conversation.find')}
        maxLength={QUERY_LIMIT}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (!composing) setWords(target.value);
        }}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={({ currentTarget }) => {
          setComposing(false);
          setWords(currentTarget.value);
        }}
      />
      <span className={styles.count} role="status">
        {problem ?? (words === '' || !found ? '' : countOf(found, at))}
      </span>
      <IconButton label={t('conversation.findBefore')} disabled={!current} onClick={() => step(-1)}>
        <ChevronUp size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label={t('conversation.findNext')} disabled={!current} onClick={() => step(1)}>
        <ChevronDown size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label={t('ui.close')} onClick={onClose}>
        <X size={15} aria-hidden="true" />
      </IconButton>
    </search>
  );
}

function countOf({ itemIds, cut }: { itemIds: readonly string[]; cut: boolean }, at: number): string {
  if (itemIds.length === 0) return t('conversation.findNone');
  const places = { at: at + 1, count: itemIds.length };
  return t(cut ? 'conversation.findMany' : 'conversation.findCount', places);
}
