import { isCodex } from '@tscodex/shared/lacks';
import type { BackendChoice, ModelChoice, ProfileChoice } from '@tscodex/shared/workspace';
import { type FormEvent, useId, useState } from 'react';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { useDirectories } from '../state/use-directories.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { AgentChoice } from './agent-choice.tsx';
import styles from './new-session-dialog.module.css';
import { type Choices, useChoices } from './use-choices.ts';
import { useNewSession } from './use-new-session.ts';

/** A session on another agent, by a profile, with another model than the first, or in a directory below the workspace's. */
export function NewSessionDialog(props: {
  workspaceId: string;
  /** The workspace's directory, as it is shown. */
  dir: string;
  models: readonly ModelChoice[];
  onCreated: (session: string) => void;
  onClose: () => void;
}) {
  const { create, creating, problem } = useNewSession(props.workspaceId, props.onCreated);
  const id = useId();
  const choices = useChoices(props.workspaceId, props.models);
  const [picked, setBackend] = useState<BackendChoice['id'] | null>(null);
  const backend = picked ?? choices.backends[0]?.id ?? 'native';
  const byCodex = isCodex(backend);
  const [profile, setProfile] = useState('');
  const models = modelsOf(choices, profile);
  const [chosen, setModel] = useState<string | null>(null);
  const model = chosen ?? models[0]?.id ?? '';
  const [cwd, setCwd] = useState('');
  const suggested = useDirectories(cwd, props.workspaceId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void create({
      ...(backend !== (choices.backends[0]?.id ?? 'native') && { backend }),
      // Codex has its own
      ...(!byCodex && profile && { profile }),
      ...(!byCodex && model && { model }),
      ...(cwd.trim() && { cwd: cwd.trim() }),
    });
  };
  return (
    <Dialog title={t('sessions.new')} onClose={props.onClose}>
      <form className={styles.form} onSubmit={submit}>
        {choices.backends.length > 1 && (
          <AgentChoice choices={choices.backends} chosen={backend} onChoose={setBackend} />
        )}
        {!byCodex && choices.profiles.length > 0 && (
          <>
            <label htmlFor={`${id}-profile`}>{t('sessions.profile')}</label>
            <select
              id={`${id}-profile`}
              value={profile}
              onChange={(event) => {
                setProfile(event.target.value);
                setModel(null);
              }}
            >
              <option value="">{t('sessions.noProfile')}</option>
              {choices.profiles.map((one) => (
                <option
                  key={one.name}
                  value={one.name}
                  disabled={one.problem !== undefined}
                  title={one.problem && serverSentence(one.problem)}
                >
                  {profileWords(one)}
                </option>
              ))}
            </select>
          </>
        )}
        <label htmlFor={`${id}-model`}>{t('sessions.model')}</label>
        <select
          id={`${id}-model`}
          value={byCodex ? '' : model}
          disabled={byCodex}
          onChange={(event) => setModel(event.target.value)}
        >
          {byCodex && <option value="">{t('sessions.codexModel')}</option>}
          {models.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.demo ? t('sessions.demo') : choice.label}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-cwd`}>{t('sessions.directory')}</label>
        <Combobox
          id={`${id}-cwd`}
          value={cwd}
          options={suggested.directories}
          optionsOf={suggested.of}
          onChange={setCwd}
          listLabel={t('sessions.directories')}
          placeholder={props.dir}
          maxLength={4096}
          describedBy={`${id}-hint`}
          invalid={problem !== null}
        />
        <p id={`${id}-hint`} className={styles.hint}>
          {t('sessions.directoryHint', { dir: props.dir })}
        </p>
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={props.onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" disabled={creating}>
            {t('sessions.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function profileWords({ name, model, problem }: ProfileChoice): string {
  if (problem) return t('sessions.profileBroken', { name });
  return model === null ? name : t('sessions.profileWith', { name, model });
}

/** Of a profile its own comes first: the server takes it where no other is named. */
function modelsOf({ models, profiles }: Choices, chosen: string): readonly ModelChoice[] {
  const profile: ProfileChoice | undefined = profiles.find(({ name }) => name === chosen);
  if (!profile) return models;
  const own = { id: '', label: profile.model ?? t('sessions.incomplete'), demo: false };
  return [own, ...models.filter(({ demo }) => demo)];
}
