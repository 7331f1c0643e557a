import type { ToolCall } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import { askedQuestions } from './asked-questions.ts';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import styles from './question-call.module.css';
import { WorkRow } from './work-row.tsx';

/** What the agent asked people, and what they said. The form to answer with stands below the conversation. */
export function QuestionCallView({ item }: ItemProps<ToolCall>) {
  const [open, setOpen] = useOpen(item.id, true);
  const questions = askedQuestions(item);
  const by = item.decision?.by;
  const waits = item.status === 'inProgress';
  return (
    <WorkRow
      status={waits ? 'asking' : item.status}
      verb={t(waits ? 'conversation.asking' : 'conversation.asked')}
      subject={questions.map(({ header }) => header).join(' · ')}
      aside={by ? t('conversation.answeredBy', { by }) : ''}
      open={open && !waits}
      onToggle={() => setOpen(!open)}
    >
      <dl className={styles.answers}>
        {questions.map(({ id, question, answers }) => (
          <div key={id}>
            <dt>{question}</dt>
            <dd>{answers.join(', ') || t('conversation.noAnswer')}</dd>
          </div>
        ))}
      </dl>
    </WorkRow>
  );
}
