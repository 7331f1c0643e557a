/** The older part of a conversation, of which only what is near the view is in the page. */
import type { Item } from '@tscodex/shared/items';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { SessionActions } from '../state/actions.ts';
import { ItemView } from './item-view.tsx';

/** Pixels beside the view that are in the page: a key that goes on by a page finds it there. */
const BESIDE = 900;

type Props = {
  items: readonly Item[];
  actions: SessionActions;
  /** Changes with a list that has nothing to do with the one before. */
  number: number;
  view: RefObject<HTMLElement | null>;
  list: Ref<VirtualizerHandle>;
  /** What lies above it, in pixels. */
  above: number;
  marked: string | null;
  /** From where to where it stays in the page, wherever the view is. */
  held: { from: number; to: number } | null;
};

/** Apart from the newest, so that a delta does not even look at them. */
export const PastItems = memo(function PastItems(props: Props) {
  const { items, held, number } = props;
  const first = useRef<string | undefined>(undefined);
  const isSame = first.current === undefined || first.current === items[0]?.id;
  useLayoutEffect(() => {
    first.current = items[0]?.id;
  });
  return (
    <Virtualizer
      key={number}
      ref={props.list}
      scrollRef={props.view}
      data={items}
      shift={!isSame}
      bufferSize={BESIDE}
      keepMounted={held ? range(held) : []}
      startMargin={props.above}
      as={Container}
    >
      {(item, at) => (
        <ItemView
          key={item.id}
          item={item}
          after={items[at - 1]}
          marked={item.id === props.marked}
          actions={props.actions}
          asking={false}
          resumable={false}
        />
      )}
    </Virtualizer>
  );
});

/** While the agent writes the view moves all the time: what is in it can be clicked and selected all the same. */
function Container(props: { style: CSSProperties; children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  const { pointerEvents: _, ...style } = props.style;
  return (
    <div ref={props.ref} style={style} data-past>
      {props.children}
    </div>
  );
}

function range({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
