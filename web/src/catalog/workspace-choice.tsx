import type { CatalogEntry } from '@tscodex/shared/catalog';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { Button } from '../ui/button.tsx';
import { nameOf } from './entry-words.ts';
import type { useOpenEntry } from './use-open-entry.ts';
import styles from './workspace-choice.module.css';

/** Where to open a session that was made outside of every workspace. */
export function WorkspaceChoice(props: { session: CatalogEntry; opening: ReturnType<typeof useOpenEntry> }) {
  const { session, opening } = props;
  const { overview } = useServices();
  const workspaces = useStore(overview, (known) => known.workspaces ?? []);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  const text = workspaces.length === 0 ? 'catalog.noWorkspace' : 'catalog.whichWorkspace';
  return (
    <div className={styles.choice}>
      <h3>{nameOf(session)}</h3>
      <p>{t(text)}</p>
      <ul ref={list}>
        {workspaces.map(({ id, name, dir }) => (
          <li key={id}>
            <button type="button" disabled={opening.busy} onClick={() => opening.openHomelessIn(id)}>
              <span>{name}</span>
              <code>{dir}</code>
            </button>
          </li>
        ))}
      </ul>
      {opening.problem !== null && (
        <p className={styles.problem} role="alert">
          {t('sessions.notReopened', { reason: opening.problem })}
        </p>
      )}
      <Button look="quiet" onClick={opening.keepHomeless}>
        {t('catalog.backToList')}
      </Button>
    </div>
  );
}
