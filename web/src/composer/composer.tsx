/**
 * The composer: what waits, what the session does, and the box a person writes into. Typed text is a message,
 * or the answer to an open question, and the composer says which; the server never guesses.
 */
import { lacks } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import { type Ref, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useIsOneOfNameless, useMyName } from '../people/use-people.ts';
import type { Connection, SessionActions } from '../state/actions.ts';
import { useSuggestion } from '../state/suggestion.ts';
import { Capsules } from './capsules.tsx';
import styles from './composer.module.css';
import { ComposerTools } from './composer-tools.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import type { Kept } from './kept-sessions.ts';
import { lastMessage } from './last-message.ts';
import { ModelDialog } from './later-model-dialog.ts';
import { MessageBox } from './message-box.tsx';
import type { Mode } from './mode-choice.tsx';
import { PictureStrip } from './picture-strip.tsx';
import { placeholderFor } from './placeholder.ts';
import { Problem } from './problem.tsx';
import { HeldNote, isReadOnly } from './read-only.tsx';
import { StatusPill } from './status-pill.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useKeptSession } from './use-kept-session.ts';
import { useSubmit } from './use-submit.ts';

type Props = {
  state: SessionState;
  actions: SessionActions;
  connection: Connection;
  /** The id under which one writes where there is no session yet. */
  unsaved: string;
  /** The session that was created here last. */
  created: string | null;
  /** The box that is written into. */
  ref?: Ref<HTMLTextAreaElement>;
  /** A message has left the box. */
  onSent: () => void;
};

/** Keep it mounted while sessions are switched; each has its own text, mode and messages on their way. */
export function Composer(props: Props) {
  const kept = useKeptSession(props.state.id, props.unsaved, props.created);
  return <SessionComposer key={kept.key} {...props} kept={kept} />;
}

function SessionComposer({ state, actions, connection, ref, onSent, kept }: Props & { kept: Kept }) {
  const [chosen, setMode] = useState(kept.mode);
  const mode = lacks(state.backend, 'steer') ? 'queue' : chosen;
  const [isChoosing, setChoosing] = useState(false);
  const submit = useSubmit(state, actions, kept, mode, connection, onSent);
  const me = useMyName();
  const isOneOfNameless = useIsOneOfNameless();
  const readOnly = isReadOnly(state);
  const form = useRef<HTMLFormElement>(null);
  const focusBox = () => form.current?.querySelector('textarea')?.focus();
  const attach = (files: readonly File[]) => {
    if (readOnly) return;
    submit.pictures.add(files);
    // what is said about them comes next
    if (!matchMedia('(pointer: coarse)').matches) focusBox();
  };
  const box = useRef({ text: submit.text, change: submit.change });
  useEffect(() => {
    box.current = submit;
  });
  useSuggestion(
    useCallback((text) => {
      const { text: before, change } = box.current;
      change(before.trim() === '' ? text : `${before}\n\n${text}`);
      form.current?.querySelector('textarea')?.focus();
    }, []),
  );
  const dragging = useDroppedFiles(attach);
  const pane = form.current?.closest('[role=tabpanel]');
  const chooseMode = (next: Mode) => {
    kept.mode = next;
    setMode(next);
  };
  return (
    <div className={styles.composer}>
      <div className={styles.above}>
        <Capsules
          waiting={state.waiting}
          outgoing={submit.outgoing}
          actions={actions}
          kept={kept}
          onRetry={submit.retry}
          onEdit={submit.edit}
          onLast={focusBox}
        />
        <StatusPill state={state} connection={connection} />
      </div>
      {dragging && pane && !readOnly && <DropOverlay over={pane} />}
      <form
        ref={form}
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          submit.send();
        }}
      >
        <HeldNote heldBy={state.heldBy} />
        <PictureStrip pictures={submit.pictures} onEmpty={focusBox} />
        <MessageBox
          ref={ref}
          text={submit.text}
          placeholder={placeholderFor(state, submit.target, mode)}
          disabled={readOnly}
          onChange={submit.change}
          onFiles={attach}
          onSend={submit.send}
          onRecall={() => {
            // among several nameless people nobody can tell what was one's own
            const said = isOneOfNameless ? null : lastMessage(state, me);
            if (said !== null) submit.change(said);
          }}
        />
        <Problem text={submit.problem} />
        <ComposerTools
          state={state}
          actions={actions}
          submit={submit}
          mode={mode}
          onMode={chooseMode}
          onFiles={attach}
          onModel={() => setChoosing(true)}
        />
      </form>
      {/* a form of its own cannot stand within the one above */}
      {isChoosing && (
        <Suspense fallback={null}>
          <ModelDialog state={state} actions={actions} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </div>
  );
}
