import { Ellipsis } from 'lucide-react';
import { type Ref, useCallback, useState } from 'react';
import { IconButton } from './button.tsx';
import styles from './menu.module.css';
import { Menu, type MenuEntry } from './menu.tsx';

/** null: it cannot be done right now, and is left out. */
export type MenuChoice = MenuEntry & { run: (() => void) | null };

/** A small button, and below it what can be done with the thing that it stands beside. */
export function MoreMenu(props: {
  /** Of the button and the list. */
  label: string;
  choices: readonly MenuChoice[];
  ref?: Ref<HTMLButtonElement>;
  /** -1: it is reached by another way than Tab. */
  tabIndex?: number;
}) {
  const { label, choices } = props;
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span className={styles.more}>
      <IconButton
        ref={props.ref}
        tabIndex={props.tabIndex}
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Ellipsis size={16} aria-hidden="true" />
      </IconButton>
      {open && (
        <Menu
          atEnd
          label={label}
          entries={choices.filter(({ run }) => run !== null)}
          onClose={close}
          onChoose={(id) => {
            close();
            choices.find((choice) => choice.id === id)?.run?.();
          }}
        />
      )}
    </span>
  );
}
