import { lacks } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import { Square } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { Button } from '../ui/button.tsx';
import { UsageButton } from '../usage/usage-button.tsx';
import { AttachButton } from './attach-button.tsx';
import styles from './composer.module.css';
import { type Mode, ModeChoice } from './mode-choice.tsx';
import { ModelButton } from './model-button.tsx';
import { Problem } from './problem.tsx';
import { isReadOnly } from './read-only.tsx';
import { useStop } from './use-stop.ts';
import type { Submit } from './use-submit.ts';

/** The row below the text: when it is read, by which model, how much room is left, Stop and Send. */
export function ComposerTools(props: {
  state: SessionState;
  actions: SessionActions;
  submit: Submit;
  mode: Mode;
  onMode: (mode: Mode) => void;
  onFiles: (files: readonly File[]) => void;
  onModel: () => void;
}) {
  const { state, submit } = props;
  const stop = useStop(state.status, props.actions);
  const readOnly = isReadOnly(state);
  const chooses = stop.visible && !readOnly && !submit.answers;
  const canSteer = !lacks(state.backend, 'steer');
  // in which turn somebody wanted to steer what takes nothing
  const [refusedIn, setRefusedIn] = useState<string | null>(null);
  const refused = chooses && !canSteer && refusedIn !== null && refusedIn === state.turn?.id;
  return (
    <>
      <Problem text={stop.problem ?? (refused ? t('composer.noSteer') : null)} />
      <div className={styles.tools}>
        <AttachButton disabled={readOnly} onFiles={props.onFiles} />
        {chooses && (
          <ModeChoice
            mode={props.mode}
            canSteer={canSteer}
            onChange={props.onMode}
            onCannot={() => setRefusedIn(state.turn?.id ?? null)}
          />
        )}
        <ModelButton state={state} onPress={props.onModel} />
        <UsageButton state={state} actions={props.actions} />
        <span className={styles.buttons}>
          {stop.visible && !state.heldBy && (
            <Button disabled={stop.stopping} onClick={stop.stop}>
              {!stop.stopping && <Square size={10} fill="currentColor" aria-hidden="true" />}
              {stop.stopping ? t('composer.stopping') : t('composer.stop')}
            </Button>
          )}
          {submit.target && (
            <Button
              disabled={submit.empty || readOnly || (!submit.answers && submit.answering)}
              onMouseDown={keepFocus}
              onClick={submit.sendOtherwise}
            >
              {submit.answers ? t('composer.asMessage') : t('composer.answer')}
            </Button>
          )}
          <Button
            type="submit"
            look="primary"
            disabled={submit.empty || readOnly || (submit.answers && submit.answering)}
            onMouseDown={keepFocus}
          >
            {submit.answers ? t('composer.answer') : t('composer.send')}
          </Button>
        </span>
      </div>
    </>
  );
}

/** The focus stays in the text box, so that writing goes on and a phone keeps its keyboard. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
