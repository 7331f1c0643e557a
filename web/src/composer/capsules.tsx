import type { Input } from '@tscodex/shared/inputs';
import type { SessionState } from '@tscodex/shared/session-state';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../messages/messages.ts';
import { useMyName } from '../people/use-people.ts';
import type { SessionActions } from '../state/actions.ts';
import { classes } from '../ui/classes.ts';
import type { CapsuleState } from './capsule.tsx';
import { CapsuleGroup, editButtonId } from './capsule-group.tsx';
import styles from './capsules.module.css';
import type { Edited, Kept } from './kept-sessions.ts';
import type { Mode } from './mode-choice.tsx';
import type { Outgoing } from './outbox.ts';
import { WaitingEditor } from './waiting-editor.tsx';

export type Waiting = {
  id: string;
  text: string;
  /** Whose it is, where it is not one's own. */
  author: string | null;
  /** How many go with it. */
  images: number;
  mode: Mode;
  state: CapsuleState;
  reason: string | null;
};

/** What a person points at or has opened, to be read whole. */
type Full = { id: string; text: string };

/** What waits for the agent: saved by the server, on the way there, or failed on the way. */
export function Capsules(props: {
  waiting: SessionState['waiting'];
  outgoing: readonly Outgoing[];
  actions: SessionActions;
  onRetry: (id: string) => void;
  onEdit: (id: string) => Promise<void>;
  kept: Pick<Kept, 'edited'>;
  /** The one that had the focus is gone. */
  onLast: () => void;
}) {
  const [pointed, setPointed] = useState<Full | null>(null);
  const [opened, setOpened] = useState<Full | null>(null);
  const me = useMyName();
  const all = [...props.waiting.map((input) => fromServer(input, me)), ...props.outgoing.map(fromHere)];
  // one that was taken under the pointer takes its text along
  const full = [pointed, opened].find((one) => all.some(({ id }) => id === one?.id));
  const { kept } = props;
  const [edited, setEdited] = useState(kept.edited);
  const groups = useRef<HTMLDivElement>(null);
  const edit = (next: Edited | null) => {
    kept.edited = next;
    setEdited(next);
  };
  const beginEdit = (id: string) => {
    const text = all.find((one) => one.id === id)?.text;
    if (text === undefined) return;
    flushSync(() => edit({ id, text, before: text }));
    groups.current?.querySelector('textarea')?.focus();
  };
  const endEdit = ({ id }: Edited) => {
    edit(null);
    // a save takes a while: meanwhile one may have gone elsewhere
    const focused = document.activeElement;
    if (focused !== document.body && !groups.current?.contains(focused)) return;
    const button = document.getElementById(editButtonId(id));
    if (button) button.focus();
    else props.onLast();
  };
  const toggle = (one: Full) => {
    setOpened(opened?.id === one.id ? null : one);
    setPointed(null);
  };
  return (
    <div ref={groups} className={styles.groups}>
      {edited && (
        <WaitingEditor
          key={edited.id}
          {...edited}
          place={placeOf(edited.id, all)}
          actions={props.actions}
          onChange={(text) => edit({ ...edited, text })}
          onClose={() => endEdit(edited)}
        />
      )}
      {full && !edited && (
        <div className={classes(styles.full, full === opened && styles.opened)} aria-hidden={full !== opened}>
          {full.text}
        </div>
      )}
      {(['steer', 'queue'] as const).map((mode) => (
        <CapsuleGroup
          key={mode}
          mode={mode}
          waiting={all.filter((waiting) => waiting.mode === mode)}
          opened={opened?.id ?? null}
          onPoint={setPointed}
          onToggle={toggle}
          onRemove={props.actions.withdrawInput}
          onRetry={props.onRetry}
          onEdit={props.onEdit}
          onEditWaiting={beginEdit}
        />
      ))}
    </div>
  );
}

/** Where a saved message stands among those that wait as it does. */
function placeOf(id: string, all: readonly Waiting[]): { at: number; of: number } | null {
  const mode = all.find((one) => one.id === id)?.mode;
  const line = all.filter((one) => one.mode === mode && one.state === 'saved');
  const at = line.findIndex((one) => one.id === id);
  return at < 0 ? null : { at, of: line.length };
}

function fromServer({ id, text, mode, attachments, ...input }: Input, me: string | null): Waiting {
  const images = attachments.length;
  const author = input.author === me ? null : input.author;
  return {
    id,
    text,
    author,
    images,
    mode: mode === 'queue' ? 'queue' : 'steer',
    state: 'saved',
    reason: null,
  };
}

function fromHere({ message, state, reason }: Outgoing): Waiting {
  const why = state === 'failed' ? (reason ?? t('composer.interruptedSend')) : null;
  const { id, text, mode, images = [] } = message;
  return { id, text, author: null, images: images.length, mode, state, reason: why };
}
