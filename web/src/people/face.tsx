import type { Me } from '@tscodex/shared/workspace';
import { User } from 'lucide-react';
import styles from './face.module.css';
import { initials } from './initials.ts';

/** As many as tokens.css has colours for. */
const TONES = 8;

/** A person as a small circle with initials; somebody without a name has none. For the eye only. */
export function Face({ person }: { person: Me }) {
  const { id, name } = person;
  return (
    <span className={styles.face} data-tone={name === null ? undefined : toneOf(id)} aria-hidden="true">
      {name === null ? <User size={13} /> : initials(name)}
    </span>
  );
}

/** Ids are hexadecimal and as good as random. */
function toneOf(id: string): number {
  return Number.parseInt(id.slice(0, 4), 16) % TONES;
}
