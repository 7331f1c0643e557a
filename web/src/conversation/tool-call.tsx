import type { ToolCall } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import { duration } from '../ui/quantities.ts';
import { QUESTION_TOOL } from './asked-questions.ts';
import { CodeBlock } from './code-block.tsx';
import { decidedBy } from './decided-by.ts';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import { QuestionCallView } from './question-call.tsx';
import { TerminalText } from './terminal-text.tsx';
import styles from './work-row.module.css';
import { WorkRow } from './work-row.tsx';

/** A tool that was called. Some have a look of their own. */
export function ToolCallView(props: ItemProps<ToolCall>) {
  return props.item.name === QUESTION_TOOL ? <QuestionCallView {...props} /> : <PlainCallView {...props} />;
}

/** With what it was called, and what it answered. */
function PlainCallView({ item, asking }: ItemProps<ToolCall>) {
  const [open, setOpen] = useOpen(item.id, false);
  const name = item.server ? `${item.server} · ${item.name}` : item.name;
  const decided = decidedBy(item.decision);
  const answer = item.error ?? item.output;
  return (
    <WorkRow
      status={asking ? 'asking' : item.status}
      verb={t(verbOf(item, asking))}
      subject={name}
      aside={tookOf(item)}
      decided={decided}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      {decided && <p className={styles.caption}>{decided}</p>}
      <p className={styles.caption}>{t('conversation.arguments')}</p>
      <CodeBlock label={t('conversation.arguments')}>{indented(item.arguments)}</CodeBlock>
      {answer !== undefined && (
        <>
          <p className={styles.caption}>{t('conversation.result')}</p>
          <CodeBlock label={t('conversation.result')}>
            <TerminalText output={answer} />
          </CodeBlock>
        </>
      )}
    </WorkRow>
  );
}

function verbOf({ status }: ToolCall, asking: boolean) {
  if (asking) return 'conversation.wantsToCall';
  return status === 'inProgress' ? 'conversation.calling' : 'conversation.called';
}

function tookOf({ startedAt, completedAt }: ToolCall): string {
  return completedAt === undefined ? '' : duration(Date.parse(completedAt) - Date.parse(startedAt));
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json; // what the model wrote is no JSON: shown as it is
  }
}
