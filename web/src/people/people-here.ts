/** Who of all people is in one workspace, and how they are listed. Pure. */
import type { Me, Person } from '@tscodex/shared/workspace';

export function looksAt(person: Person, workspace: string, session: string | null): boolean {
  return person.looking.some((place) => place.workspace === workspace && place.session === session);
}

/** Those with the same session open first, then by name, the nameless after; oneself last. */
export function peopleHere(
  people: readonly Person[],
  here: { workspace: string; session: string | null; me: string | null },
): Person[] {
  const isHere = ({ looking }: Person) => looking.some(({ workspace }) => workspace === here.workspace);
  const rank = (person: Person) => {
    if (person.id === here.me) return 2;
    return here.session !== null && looksAt(person, here.workspace, here.session) ? 0 : 1;
  };
  return people.filter(isHere).sort((a, b) => rank(a) - rank(b) || byName(a, b));
}

function byName(a: Person, b: Person): number {
  if (a.name === null || b.name === null) return Number(a.name === null) - Number(b.name === null);
  return a.name.localeCompare(b.name);
}

export function isOneOfNameless({ me, people }: { me: Me | null; people: readonly Person[] }): boolean {
  return me?.name === null && people.some(({ id, name }) => name === null && id !== me.id);
}
