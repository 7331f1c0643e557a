import { type KeyboardEvent, useId, useState } from 'react';
import styles from './combobox.module.css';
import { isComposing } from './is-composing.ts';

/**
 * A field with suggestions (WAI-ARIA combobox). Arrow keys go through them, Enter and Tab take the one that is marked,
 * Escape closes the list. Tab also takes the only way to go on with what has just been typed; a text that was merely
 * passed by stays as it is. Any other text is as good.
 */
export function Combobox(props: {
  id: string;
  value: string;
  /** What the value may be completed to. */
  options: readonly string[];
  /** The value that the options are of: they come later than what is typed. */
  optionsOf: string;
  onChange: (value: string) => void;
  /** The suggestions, for readers of the screen. */
  listLabel: string;
  placeholder?: string;
  maxLength?: number;
  describedBy?: string | undefined;
  invalid?: boolean;
}) {
  const { value, onChange } = props;
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [mark, setMark] = useState<string | null>(null);
  const [begun, setBegun] = useState(false);
  const options = open ? props.options.filter((option) => option !== value) : [];
  const at = mark === null ? -1 : options.indexOf(mark);
  const marked = options[at];
  // a value that is itself among them is whole
  const [only] =
    begun && value !== '' && props.optionsOf === value && props.options.length === 1 ? options : [];

  const take = (option: string) => {
    onChange(option);
    setMark(null);
    setBegun(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const completion = marked ?? (event.key === 'Tab' ? only : undefined);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      setMark(options[moved(at, event.key === 'ArrowDown' ? 1 : -1, options.length)] ?? null);
    } else if (
      (event.key === 'Enter' || event.key === 'Tab') &&
      completion !== undefined &&
      !event.shiftKey
    ) {
      event.preventDefault();
      take(completion);
    } else if (event.key === 'Escape' && options.length > 0) {
      // the dialog around it stays
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className={styles.combobox}>
      <input
        id={props.id}
        role="combobox"
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={listId}
        aria-activedescendant={marked === undefined ? undefined : optionId(listId, at)}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setMark(null);
          setBegun(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          setMark(null);
          setBegun(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={props.listLabel}
        className={styles.list}
        hidden={options.length === 0}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
          <div
            key={option}
            id={optionId(listId, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            title={option}
            ref={index === at ? scrollIntoList : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            {option}
          </div>
        ))}
      </div>
    </div>
  );
}

const optionId = (list: string, at: number) => `${list}-${at}`;

/** -1 is the field itself. */
function moved(at: number, by: number, count: number): number {
  const next = at + by;
  return next < -1 ? count - 1 : next >= count ? -1 : next;
}

function scrollIntoList(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
