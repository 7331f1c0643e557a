import type { Person, WorkspaceSummary } from '@tscodex/shared/workspace';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { usePopover } from '../ui/use-popover.ts';
import { Face } from './face.tsx';
import { FaceRow, nameOf, namesOf } from './faces.tsx';
import styles from './faces-button.module.css';
import { looksAt } from './people-here.ts';
import { useMe, usePeopleHere } from './use-people.ts';

/** Who else is in this workspace: their faces, and on a press a list that says where. Nothing for who is alone. */
export function FacesButton(props: {
  workspaceId: string;
  workspace: WorkspaceSummary | undefined;
  session: string | null;
}) {
  const { workspaceId, session } = props;
  const people = usePeopleHere(workspaceId, session);
  const me = useMe()?.id ?? null;
  const { isOpen, toggle, around } = usePopover();
  if (people.every(({ id }) => id === me)) return null;
  const names = namesOf(people, me);
  return (
    <span className={styles.around} {...around}>
      <button
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-label={t('people.here', { count: people.length, names })}
        title={isOpen ? undefined : names}
        onClick={toggle}
      >
        <FaceRow people={people} />
      </button>
      {isOpen && (
        <div className={styles.panel}>
          <h2>{t('people.title')}</h2>
          <ul>
            {people.map((person) => (
              <li key={person.id}>
                <Face person={person} />
                <span className={styles.name}>{nameOf(person, me)}</span>
                <span className={styles.place}>{placeOf(person, props)}</span>
              </li>
            ))}
          </ul>
          <Elsewhere />
        </div>
      )}
    </span>
  );
}

/** Nobody is told of everybody where there are very many. */
function Elsewhere() {
  const { people } = useServices();
  const count = useStore(people, ({ more }) => more);
  return count > 0 && <p className={styles.rest}>{t('people.rest', { count })}</p>;
}

type Here = { workspaceId: string; workspace: WorkspaceSummary | undefined; session: string | null };

function placeOf(person: Person, { workspaceId, workspace, session }: Here): string {
  if (session !== null && looksAt(person, workspaceId, session)) return t('people.sameSession');
  const titles = person.looking
    .filter((place) => place.workspace === workspaceId)
    .map((place) => workspace?.sessions.find(({ id }) => id === place.session)?.title)
    .filter((title) => typeof title === 'string');
  return titles[0] ?? '';
}
