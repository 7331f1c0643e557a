import type { SessionState } from '@tscodex/shared/session-state';
import { isReadOnly } from '../composer/read-only.tsx';
import { t } from '../messages/messages.ts';
import { useTilde } from '../ui/home-directory.ts';
import { useMedia } from '../ui/use-media.ts';
import styles from './directory-button.module.css';

/** Where the session works; on a press, elsewhere. A line is too thin for a finger: that finds it in the menu. */
export function DirectoryButton({ state, onPress }: { state: SessionState; onPress: () => void }) {
  const cwd = useTilde()(state.cwd);
  const isTouched = useMedia('(pointer: coarse)');
  if (isTouched || isReadOnly(state)) return <code title={cwd}>{cwd}</code>;
  return (
    <button type="button" className={styles.button} aria-haspopup="dialog" title={cwd} onClick={onPress}>
      <span className="visually-hidden">{t('sessions.changeDirectory')}</span>
      <code>{cwd}</code>
    </button>
  );
}
