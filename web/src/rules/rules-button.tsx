import { ScrollText } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './rules-button.module.css';
import { useOpenRules } from './rules-context.ts';

/** Opens the list of rules. */
export function RulesButton() {
  const open = useOpenRules();
  return (
    <Button look="quiet" className={styles.button} aria-haspopup="dialog" onClick={open}>
      <ScrollText size={16} aria-hidden="true" />
      {t('rules.open')}
    </Button>
  );
}
