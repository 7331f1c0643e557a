// biome-ignore-all lint/a11y/useSemanticElements: lines with a menu, chosen from a field; rows of a table lay themselves out
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './line.module.css';

export type LineProps = {
  /** The element id of what Enter in the field chooses. */
  id: string;
  marked: boolean;
  onChoose: () => void;
};

/** A line of the list. The focus stays in the field; Tab leads to what is in the one that is marked. */
export function Line(
  props: Omit<LineProps, 'onChoose'> & { kind?: 'hit' | 'more'; children: ReactNode; more?: ReactNode },
) {
  return (
    <div
      role="row"
      tabIndex={-1}
      className={styles.line}
      data-kind={props.kind}
      aria-selected={props.marked}
      ref={props.marked ? scrollIntoList : undefined}
    >
      <div id={props.id} role="gridcell" tabIndex={-1} className={styles.cell}>
        {props.children}
      </div>
      {props.more && (
        <div role="gridcell" tabIndex={-1} className={styles.menu}>
          {props.more}
        </div>
      )}
    </div>
  );
}

/** What a press on a line does: as a link, so that it can be opened beside this page, where it is known to what. */
export function LineLink(props: {
  /** The address of what it opens; null: that is to be asked first, or it opens nothing. */
  to: string | null;
  /** Tab leads to it, past the field. */
  marked: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  const { to, onChoose, children } = props;
  const tabIndex = props.marked ? 0 : -1;
  if (to === null)
    return (
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.link}
        onPointerDown={keepFocus}
        onClick={onChoose}
      >
        {children}
      </button>
    );
  return (
    <Link
      href={to}
      tabIndex={tabIndex}
      className={styles.link}
      draggable={false}
      onPointerDown={keepFocus}
      onClick={(event) => {
        event.preventDefault();
        onChoose();
      }}
    >
      {children}
    </Link>
  );
}

function keepFocus(event: { preventDefault(): void }): void {
  event.preventDefault();
}

function scrollIntoList(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
