import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { classes } from './classes.ts';
import { isComposing } from './is-composing.ts';
import styles from './menu.module.css';

export type MenuEntry = { id: string; label: string };

/**
 * A short list of things to choose from, opened by a button next to it. Arrow keys, Home and End move, Escape
 * and a press elsewhere close it.
 */
export function Menu({
  label,
  entries,
  atEnd = false,
  onChoose,
  onClose,
}: {
  label: string;
  entries: readonly MenuEntry[];
  /** As wide as it needs to be, below the end of a small button, in place of being as wide as what is around it. */
  atEnd?: boolean;
  onChoose: (id: string) => void;
  onClose: () => void;
}) {
  const menu = useRef<HTMLDivElement>(null);

  // before a dialog that takes its place: that makes the page inert, and gives back the focus it finds
  useLayoutEffect(() => {
    const opener = document.activeElement;
    menu.current?.querySelector('button')?.focus();
    const onPress = (event: PointerEvent) => {
      if (!menu.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    // a dialog that the menu is in stays
    if (event.key === 'Escape') event.preventDefault();
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons.at(to % buttons.length)?.focus();
  };

  return (
    <div
      ref={menu}
      className={classes(styles.menu, atEnd && styles.end)}
      role="menu"
      aria-label={label}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      {entries.map(({ id, label: text }) => (
        <button key={id} type="button" role="menuitem" tabIndex={-1} onClick={() => onChoose(id)}>
          {text}
        </button>
      ))}
    </div>
  );
}
