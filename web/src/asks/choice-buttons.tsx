import type { ApprovalChoice, Ask } from '@tscodex/shared/asks';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './asks.module.css';
import { keyOf } from './choice-keys.ts';
import { isFirstClick } from './first-click.ts';

type Props = {
  ask: Ask;
  /** In their order. */
  choices: readonly ApprovalChoice[];
  choose: (choice: ApprovalChoice) => void;
  busy: boolean;
  /** Whether keys answer this one. */
  hasKeys: boolean;
  onSayWhy: () => void;
};

/** What can be answered to an approval, each with its key. */
export function ChoiceButtons(props: Props) {
  const { choices, busy, onSayWhy } = props;
  return (
    <div className={styles.buttons}>
      {choices.map((choice) => choice !== 'stop' && <ChoiceButton key={choice} {...props} choice={choice} />)}
      <span className={styles.rest}>
        {choices.includes('decline') && (
          <Button look="quiet" disabled={busy} onClick={onSayWhy}>
            {t('asks.declineWithReason')}
          </Button>
        )}
        {choices.includes('stop') && <ChoiceButton {...props} choice="stop" />}
      </span>
    </div>
  );
}

function ChoiceButton({ choice, ask, busy, hasKeys, choose }: Props & { choice: ApprovalChoice }) {
  const key = hasKeys ? keyOf(choice) : '';
  return (
    <Button
      look={LOOKS[choice]}
      disabled={busy}
      aria-keyshortcuts={key || undefined}
      title={choice === 'session' ? scopeOf(ask) : undefined}
      onClick={(event) => isFirstClick(event) && choose(choice)}
    >
      {wordsOf(choice, ask)}
      {key && (
        <span className={styles.hint} aria-hidden="true">
          <kbd>{key}</kbd>
        </span>
      )}
    </Button>
  );
}

const LOOKS = {
  once: 'primary',
  session: 'plain',
  rule: 'plain',
  decline: 'plain',
  stop: 'quiet',
} as const;

/** Permissions are not for one command: what is allowed once holds until the turn ends. */
function wordsOf(choice: ApprovalChoice, { approval }: Ask): string {
  return t(choice === 'once' && approval?.what === 'permissions' ? 'asks.onceTurn' : `asks.${choice}`);
}

function scopeOf({ approval }: Ask): string {
  if (approval?.what === 'patch') return t('asks.scope.patch');
  return t(approval?.what === 'permissions' ? 'asks.scope.permissions' : 'asks.scope.command');
}
