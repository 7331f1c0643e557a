import type { ModelChoice } from '@tscodex/shared/workspace';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import styles from './new-session-button.module.css';
import { NewSessionDialog } from './new-session-dialog.tsx';

/**
 * Opens a session; Alt+N does the same from anywhere, only not while one writes on a Mac, where it is the ñ of a
 * Spanish text. Beside it is the choice of model and directory.
 */
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

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // by place, not by letter: with Option a Mac types a dead key here
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyN') return;
      if (isComposing(event) || (isMac() && isText(event.target))) return;
      event.preventDefault();
      if (!disabled && !event.repeat) void create();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [disabled, create]);

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
      )}
    </div>
  );
}

function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.platform);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('textarea, input');
}
