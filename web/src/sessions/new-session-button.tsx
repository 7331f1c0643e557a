import type { ModelChoice } from '@tscodex/shared/workspace';
import { ChevronDown } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import { Menu } from '../ui/menu.tsx';
import styles from './new-session-button.module.css';

/**
 * Opens a session; Alt+N does the same from anywhere, only not while one writes on a Mac, where it is the ñ of a
 * Spanish text. With several models there is a choice beside it.
 */
export function NewSessionButton({
  models,
  disabled,
  onCreate,
}: {
  models: readonly ModelChoice[];
  disabled: boolean;
  /** Without a model the server's default is taken. */
  onCreate: (model?: string) => void;
}) {
  const [choosing, setChoosing] = useState(false);
  const stopChoosing = useCallback(() => setChoosing(false), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // by place, not by letter: with Option a Mac types a dead key here
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyN') return;
      if (isComposing(event) || (isMac() && isText(event.target))) return;
      event.preventDefault();
      if (!disabled && !event.repeat) onCreate();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [disabled, onCreate]);

  return (
    <div className={styles.group}>
      <button
        type="button"
        className={styles.new}
        disabled={disabled}
        aria-keyshortcuts="Alt+N"
        onClick={() => onCreate()}
      >
        {t('sessions.new')}
        <span className={styles.key} aria-hidden="true">
          {t('sessions.key')}
        </span>
      </button>
      {models.length > 1 && (
        <button
          type="button"
          className={styles.choose}
          disabled={disabled}
          aria-label={t('sessions.newWith')}
          aria-haspopup="menu"
          aria-expanded={choosing}
          onClick={() => setChoosing(true)}
        >
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      )}
      {choosing && (
        <Menu
          label={t('sessions.newWith')}
          entries={models.map(({ id, label, demo }) => ({ id, label: demo ? t('sessions.demo') : label }))}
          onClose={stopChoosing}
          onChoose={(model) => {
            stopChoosing();
            onCreate(model);
          }}
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
