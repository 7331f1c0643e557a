import type { ModelChoice } from '@tscodex/shared/workspace';
import { ChevronDown } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../messages/messages.ts';
import { lateDialog } from '../ui/late-dialog.tsx';
import { useAltKey } from '../ui/use-alt-key.ts';
import styles from './new-session-button.module.css';

const NewSessionDialog = lateDialog(() =>
  import('./new-session-dialog.tsx').then((module) => module.NewSessionDialog),
);

/** Opens a session, as Alt+N does from anywhere. Beside it is the choice of model and directory. */
export function NewSessionButton({
  workspaceId,
  dir,
  models,
  disabled: unusable,
  creation,
  onCreated,
}: {
  workspaceId: string;
  dir: string;
  models: readonly ModelChoice[];
  disabled: boolean;
  creation: {
    /** With what the server takes by itself. */
    create: () => Promise<void>;
    creating: boolean;
  };
  /** By the choice beside it. */
  onCreated: (session: string) => void;
}) {
  const [choosing, setChoosing] = useState(false);
  const { create, creating } = creation;
  const disabled = unusable || creating;

  useAltKey(
    'KeyN',
    useCallback(() => {
      if (!disabled) void create();
    }, [disabled, create]),
  );

  return (
    <div className={styles.group}>
      <button
        type="button"
        className={styles.new}
        disabled={disabled}
        aria-keyshortcuts="Alt+N"
        onClick={() => void create()}
      >
        {t('sessions.new')}
        <span className={styles.key} aria-hidden="true">
          {t('sessions.key')}
        </span>
      </button>
      <button
        type="button"
        className={styles.choose}
        disabled={unusable}
        aria-label={t('sessions.newWith')}
        title={t('sessions.newWith')}
        aria-haspopup="dialog"
        onClick={() => setChoosing(true)}
      >
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      {choosing && (
        <Suspense fallback={null}>
          <NewSessionDialog
            workspaceId={workspaceId}
            dir={dir}
            models={models}
            onCreated={(session) => {
              // a dialog that is open keeps the focus from what comes
              flushSync(() => setChoosing(false));
              onCreated(session);
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
