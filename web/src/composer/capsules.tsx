import type { Input } from '@tscodex/shared/inputs';
import type { SessionState } from '@tscodex/shared/session-state';
import { ArrowUp, Clock3 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { Capsule, type CapsuleState } from './capsule.tsx';
import styles from './capsules.module.css';
import type { Mode } from './mode-choice.tsx';
import type { Outgoing } from './outbox.ts';

type Waiting = { id: string; text: string; mode: Mode; state: CapsuleState; reason: string | null };

/** What waits for the agent: saved by the server, on the way there, or failed on the way. */
export function Capsules(props: {
  waiting: SessionState['waiting'];
  outgoing: readonly Outgoing[];
  actions: SessionActions;
  onRetry: (id: string) => void;
  onEdit: (id: string) => Promise<void>;
}) {
  const [full, setFull] = useState<{ id: string; text: string | null } | null>(null);
  const all = [...props.waiting.map(fromServer), ...props.outgoing.map(fromHere)];
  const groups = [
    { mode: 'steer', name: t('composer.waitingSteer'), icon: <ArrowUp size={13} /> },
    { mode: 'queue', name: t('composer.waitingQueue'), icon: <Clock3 size={12} /> },
  ] as const;
  return (
    <div className={styles.groups}>
      {/* one that was taken under the pointer takes its text along */}
      {full?.text && all.some(({ id }) => id === full.id) && (
        <div className={styles.full} aria-hidden="true">
          {full.text}
        </div>
      )}
      {groups.map(({ mode, name, icon }) => {
        const capsules = all.filter((waiting) => waiting.mode === mode);
        if (capsules.length === 0) return null;
        return (
          <fieldset key={mode} className={styles.group} aria-label={name}>
            <span className={styles.icon} title={name}>
              {icon}
            </span>
            {capsules.map((waiting) => (
              <Capsule
                key={waiting.id}
                {...waiting}
                onShow={(text) => setFull({ id: waiting.id, text })}
                onRemove={() => props.actions.withdrawInput(waiting.id)}
                onRetry={() => props.onRetry(waiting.id)}
                onEdit={() => props.onEdit(waiting.id)}
              />
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}

function fromServer({ id, text, mode }: Input): Waiting {
  return { id, text, mode: mode === 'queue' ? 'queue' : 'steer', state: 'saved', reason: null };
}

function fromHere({ message, state, reason }: Outgoing): Waiting {
  const why = state === 'failed' ? (reason ?? t('composer.interruptedSend')) : null;
  return { id: message.id, text: message.text, mode: message.mode, state, reason: why };
}
