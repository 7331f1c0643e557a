import { programOf } from '@tscodex/shared/lacks';
import type { Held } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import { X } from 'lucide-react';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { ParentLink } from '../agents/parent-link.tsx';
import { BackgroundButton } from '../background/background-button.tsx';
import { ModelDialog } from '../composer/later-model-dialog.ts';
import { isReadOnly } from '../composer/read-only.tsx';
import { t } from '../messages/messages.ts';
import { runsAnything } from '../permissions/confinement.ts';
import { PermissionsButton } from '../permissions/permissions-button.tsx';
import type { SessionActions } from '../state/actions.ts';
import type { Leaving } from '../state/catalog-actions.ts';
import { IconButton } from '../ui/button.tsx';
import { lateDialog } from '../ui/late-dialog.tsx';
import { DirectoryButton } from './directory-button.tsx';
import styles from './session-header.module.css';
import { type Moves, SessionMenu } from './session-menu.tsx';
import { SessionTitle } from './session-title.tsx';
import { useFork } from './use-fork.ts';

const DirectoryDialog = lateDialog(() =>
  import('./directory-dialog.tsx').then((module) => module.DirectoryDialog),
);

/** What the session is about and what it may do, where by which model; its menu and its close. */
export function SessionHeader({
  title,
  state,
  actions,
  held,
  demo,
  onRename,
  onLeave,
  move,
  onFind,
  onFocusLost,
  children,
}: {
  /** null where it has none of its own, or that is not known. */
  title: string | null;
  /** null while it is not known yet. */
  state: SessionState | null;
  actions: SessionActions;
  /** How commands will be held, of a session that is not there yet; null while that is not known. */
  held: Held | null;
  demo: boolean;
  /** null for a session that is not there yet. */
  onRename: ((title: string) => void) | null;
  onLeave: ((how: Leaving) => void) | null;
  /** To the next line of the list. */
  move: Moves;
  /** Opens what finds words in the conversation. */
  onFind: () => void;
  /** What had the focus in the header is gone. */
  onFocusLost: () => void;
  /** Buttons of the page around it. */
  children?: ReactNode;
}) {
  /** The session whose title is a field. */
  const [renaming, setRenaming] = useState<string | null>(null);
  // another one is shown: neither is it renamed, nor is that one when it comes back
  if (renaming !== null && renaming !== state?.id) setRenaming(null);
  const [dialog, setDialog] = useState<{ of: string; changes: 'directory' | 'model' } | null>(null);
  if (dialog !== null && dialog.of !== state?.id) setDialog(null);
  const changing = dialog?.changes;
  const change = (changes: 'directory' | 'model') => state && setDialog({ of: state.id, changes });
  const { fork, problem } = useFork(state?.id, actions);
  const shown = state ?? held;
  const menu = useRef<HTMLButtonElement>(null);
  const rename = () => setRenaming(state?.id ?? null);
  const endRenaming = (byKey: boolean) => {
    setRenaming(null);
    if (byKey) menu.current?.focus();
  };
  return (
    <>
      <header className={styles.bar}>
        <div className={styles.about}>
          <SessionTitle
            title={state ? (title ?? t('sessions.untitled')) : title}
            own={title}
            renaming={renaming !== null}
            onRename={onRename}
            onBegin={rename}
            onEnd={endRenaming}
          />
          {state && <Facts state={state} demo={demo} onDirectory={() => change('directory')} />}
        </div>
        <div className={styles.chips}>
          {state && <BackgroundButton key={state.id} state={state} onLastEnded={onFocusLost} />}
          {shown && <PermissionsButton key={`${state?.id} may`} held={shown} session={state} />}
        </div>
        {children}
        {state && onLeave && (
          <SessionMenu
            ref={menu}
            session={state.id}
            onDirectory={isReadOnly(state) ? null : () => change('directory')}
            onModel={isReadOnly(state) ? null : () => change('model')}
            onFork={fork}
            {...move}
            onRename={rename}
            onFind={onFind}
            onLeave={onLeave}
          />
        )}
        {onLeave && (
          <IconButton label={t('sessions.close')} onClick={() => onLeave('closed')}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        )}
      </header>
      <Suspense fallback={null}>
        {state && changing === 'directory' && (
          <DirectoryDialog state={state} actions={actions} onClose={() => setDialog(null)} />
        )}
        {state && changing === 'model' && (
          <ModelDialog state={state} actions={actions} onClose={() => setDialog(null)} />
        )}
      </Suspense>
      {problem !== null && (
        <p className={styles.danger} role="alert">
          {t('conversation.notForked', { reason: problem })}
        </p>
      )}
      {state && runsAnything(state) && (
        <p className={styles.danger} role="alert">
          {t('sessions.dangerous')}
        </p>
      )}
    </>
  );
}

function Facts(props: { state: SessionState; demo: boolean; onDirectory: () => void }) {
  const { state, demo } = props;
  const program = programOf(state.backend);
  return (
    <p className={styles.facts}>
      <ParentLink {...state} />
      {state.model !== null && <span>{demo ? t('sessions.demo') : state.model}</span>}
      {program && <span>{program}</span>}
      {state.profile !== null && <span title={t('sessions.profile')}>{state.profile}</span>}
      <DirectoryButton state={state} onPress={props.onDirectory} />
    </p>
  );
}
