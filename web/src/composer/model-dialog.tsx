import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionModel } from '@tscodex/shared/workspace';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './model-dialog.module.css';

/** Another model, of those that are listed, and an effort that it takes. */
export function ModelDialog(props: { state: SessionState; actions: SessionActions; onClose: () => void }) {
  const { state, actions, onClose } = props;
  const id = useId();
  const own = { id: state.model ?? '', efforts: null };
  const models = useModelsOf(actions);
  const [model, setModel] = useState(state.model ?? '');
  const [effort, setEffort] = useState(state.effort ?? '');
  const { busy, problem, run } = useAction();
  // until it is known there is nothing to choose from
  const efforts = models === null ? [] : (models.find((one) => one.id === model)?.efforts ?? null);
  // one that this model does not take is not offered, and not sent
  const asked = models === null || efforts === null || efforts.includes(effort) ? effort.trim() : '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => actions.change({ model, effort: asked }))) onClose();
  };
  return (
    <Dialog title={t('composer.changeModel')} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label htmlFor={`${id}-model`}>{t('composer.model')}</label>
        <select id={`${id}-model`} value={model} onChange={(event) => setModel(event.target.value)}>
          {(models?.length ? models : [own]).map((one) => (
            <option key={one.id}>{one.id}</option>
          ))}
        </select>
        <label htmlFor={`${id}-effort`}>{t('composer.effort')}</label>
        {efforts === null ? (
          <input
            id={`${id}-effort`}
            value={effort}
            maxLength={50}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t('composer.ownEffort')}
            onChange={(event) => setEffort(event.target.value)}
          />
        ) : (
          <select
            id={`${id}-effort`}
            value={asked}
            disabled={efforts.length === 0}
            onChange={(event) => setEffort(event.target.value)}
          >
            <option value="">{t('composer.ownEffort')}</option>
            {(models === null && effort !== '' ? [effort] : efforts).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {t('composer.modelNotChanged', { reason: problem })}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" disabled={busy}>
            {t('composer.change')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the session can go on with; null while that is not known. */
function useModelsOf(actions: SessionActions): readonly SessionModel[] | null {
  const [models, setModels] = useState<readonly SessionModel[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    actions.models().then(
      (found) => isWanted && setModels(found),
      // then it is the effort alone that can be changed here
      () => isWanted && setModels([]),
    );
    return () => {
      isWanted = false;
    };
  }, [actions]);
  return models;
}
