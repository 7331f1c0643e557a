import type { Person } from '@tscodex/shared/workspace';
import { t } from '../messages/messages.ts';
import { spoken } from '../messages/spoken.ts';
import { Face } from './face.tsx';
import styles from './faces.module.css';

/** Circles in one row; the others are a number. */
const SHOWN = 4;

/** A small row of faces, read out by name. Nothing where nobody is. `me` is marked among them. */
export function Faces({ people, me }: { people: readonly Person[]; me: string | null }) {
  if (people.length === 0) return null;
  const names = namesOf(people, me);
  return (
    <span className={styles.faces} title={names}>
      <span className="visually-hidden">{t('people.here', { count: people.length, names })}</span>
      <FaceRow people={people} />
    </span>
  );
}

/** The circles alone. */
export function FaceRow({ people }: { people: readonly Person[] }) {
  // the last place is a face's too, if it is the last one
  const shown = people.length > SHOWN + 1 ? people.slice(0, SHOWN) : people;
  const count = people.length - shown.length;
  return (
    <span className={styles.row} aria-hidden="true">
      {shown.map((person) => (
        <Face key={person.id} person={person} />
      ))}
      {count > 0 && <span className={styles.more}>{t('people.more', { count })}</span>}
    </span>
  );
}

/** `Ada, Grace, Somebody, You (Jo)`; no more of them than anybody reads. */
export function namesOf(people: readonly Person[], me: string | null): string {
  const names = people.slice(0, 20).map((person) => nameOf(person, me));
  const listed = spoken().formats.list.format(names);
  return people.length > names.length
    ? t('people.andMore', { names: listed, count: people.length - names.length })
    : listed;
}

export function nameOf({ id, name }: Person, me: string | null): string {
  if (id !== me) return name ?? t('people.somebody');
  return name === null ? t('people.you') : t('people.youNamed', { name });
}
