import { CodeBlock } from './code-block.tsx';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import { WorkRow } from './work-row.tsx';

/** An item of a newer version, or not what its type promises: the type, and all that came with it. */
export function UnknownItemView({ item }: ItemProps) {
  const [open, setOpen] = useOpen(item.id, false);
  return (
    <WorkRow status={item.status} verb="" subject={item.type} open={open} onToggle={() => setOpen(!open)}>
      <CodeBlock label={item.type}>{JSON.stringify(item, null, 2)}</CodeBlock>
    </WorkRow>
  );
}
