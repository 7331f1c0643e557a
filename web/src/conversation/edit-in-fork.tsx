import type { UserMessage } from '@tscodex/shared/items';
import { PenLine } from 'lucide-react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useOpening } from '../state/opening.ts';
import { IconButton } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './edit-in-fork.module.css';

/** To say it in other words: in another session, which has what was said before. */
export function EditInFork({ item, actions }: { item: UserMessage; actions: SessionActions }) {
  const opening = useOpening();
  const { busy, problem, run } = useAction();
  if (!opening || item.mode === 'command') return null;
  const edit = () =>
    run(async () => {
      const session = await actions.fork(item.id);
      opening.openToWrite(session, { text: item.text, images: item.attachments });
    });
  return (
    <>
      {problem && (
        <span className={styles.problem} role="alert">
          {t('conversation.notForked', { reason: problem })}
        </span>
      )}
      <IconButton
        label={t('conversation.editInFork')}
        className={styles.button}
        disabled={busy}
        onClick={() => void edit()}
      >
        <PenLine size={13} aria-hidden="true" />
      </IconButton>
    </>
  );
}
