import { Languages } from 'lucide-react';
import { type Language, languages, rememberLanguage } from '../messages/language.ts';
import { t } from '../messages/messages.ts';
import { speak, useLanguage } from '../messages/spoken.ts';
import { deviceStorage } from '../state/device-storage.ts';
import { Button } from './button.tsx';
import styles from './language-switch.module.css';
import { useAction } from './use-action.ts';

/** Offers the other language by its own name: whoever needs it cannot read this one. */
export function LanguageSwitch() {
  const other: Language = useLanguage() === 'en' ? 'zh' : 'en';
  const { busy, problem, run } = useAction();
  const change = async () => {
    await speak(other, navigator.languages);
    rememberLanguage(deviceStorage(), other);
  };
  return (
    <>
      {problem !== null && (
        <span className={styles.problem} role="alert">
          {t('api.unreachable')}
        </span>
      )}
      <Button look="quiet" lang={languages[other].tag} disabled={busy} onClick={() => void run(change)}>
        <Languages size={16} aria-hidden="true" />
        {languages[other].name}
      </Button>
    </>
  );
}
