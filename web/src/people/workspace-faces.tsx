import { Faces } from './faces.tsx';
import { useMe, usePeopleHere } from './use-people.ts';
import styles from './workspace-faces.module.css';

/** Who is in a workspace, in the corner of the card that stands for it: it takes no place of its own. */
export function WorkspaceFaces({ workspaceId }: { workspaceId: string }) {
  const people = usePeopleHere(workspaceId, null);
  const me = useMe()?.id ?? null;
  if (people.length === 0) return null;
  return (
    <span className={styles.corner}>
      <Faces people={people} me={me} />
    </span>
  );
}
