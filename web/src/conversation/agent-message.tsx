import type { AgentMessage } from '@tscodex/shared/items';
import { Markdown } from '../markdown/markdown.tsx';
import styles from './agent-message.module.css';
import type { ItemProps } from './item-props.ts';

/** What the agent says. */
export function AgentMessageView({ item }: ItemProps<AgentMessage>) {
  return (
    <div className={styles.message}>
      <Markdown text={item.text} streaming={item.status === 'inProgress'} />
    </div>
  );
}
