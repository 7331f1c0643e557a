import { t } from '../messages/messages.ts';
import type { Command } from './completion.ts';
import styles from './message-box.module.css';

/** The offered commands. The focus stays in the text box; the list is driven from there. */
export function CompletionList(props: {
  id: string;
  options: readonly Command[];
  chosen: number;
  pick: (command: Command) => void;
}) {
  return (
    <div id={props.id} className={styles.list} role="listbox" aria-label={t('composer.commands')}>
      {props.options.map((command, at) => (
        <div
          key={command.name}
          id={`${props.id}-${at}`}
          className={styles.option}
          role="option"
          tabIndex={-1}
          aria-selected={at === props.chosen}
          onMouseDown={(event) => {
            // the focus stays in the text box
            event.preventDefault();
            props.pick(command);
          }}
        >
          <code>{command.name}</code>
          <span>{t(command.about)}</span>
        </div>
      ))}
    </div>
  );
}
