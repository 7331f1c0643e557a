import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { useState } from 'react';
import { useStore } from 'zustand';
import { ApiProblem } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { useServices } from '../state/services.ts';
import { addWorkspace, changeWorkspace, refreshOverview } from '../state/workspace-actions.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useTilde } from '../ui/home-directory.ts';
import { brokenSetting, changesOf, fieldsOf, NOTHING, type Typed, textsOf, theirs } from './entry-edit.ts';
import styles from './entry-form.module.css';
import { EntryForm, type Refusal } from './entry-form.tsx';
import { useSending } from './use-sending.ts';

/** What the server says when the entry is not any more what it was. */
const MOVED_ON = ['workspace.changed', 'workspace.unknown'];

/** What others wrote is in the way of what was typed here. */
const DIFFERS = 'edit.differs';

/** Changes an entry, with what others do to it meanwhile in view. `opened`: as it was when this was opened. */
export function EditDialog(props: {
  opened: WorkspaceSummary;
  onClose: () => void;
  onSaved: (name: string) => void;
}) {
  const { opened, onClose } = props;
  const services = useServices();
  const { workspaces } = useStore(services.overview);
  const [typed, setTyped] = useState<Typed>({});
  const { busy, refusal, setRefusal, send } = useSending();
  const current = workspaces?.find(({ id }) => id === opened.id);
  const tilde = useTilde();
  const fields = fieldsOf(current ?? opened, tilde);
  const before = fieldsOf(opened, tilde);
  const broken = brokenSetting(current ?? opened);
  const others = theirs(before, fields, typed);
  const differs = Object.keys(others).length > 0;

  const save = () =>
    send(async () => {
      if (current) await change(current);
      else await addWorkspace(services.api, textsOf(NOTHING, { ...fields, ...typed }));
      props.onSaved(typed.name?.trim() || fields.name);
    });
  const sendTo = async (entry: WorkspaceSummary) => {
    const changes = changesOf(fieldsOf(entry, tilde), typed, brokenSetting(entry));
    if (Object.keys(changes).length === 0) return;
    // as where one is added: a directory that does not exist is made
    const change = changes.dir === undefined ? changes : { ...changes, createDir: true as const };
    await changeWorkspace(services.api, entry.id, { revision: entry.revision, ...change });
  };
  const change = async (entry: WorkspaceSummary) => {
    try {
      await sendTo(entry);
    } catch (error) {
      if (!(error instanceof ApiProblem) || !MOVED_ON.includes(error.code)) throw error;
      await refreshOverview(services);
      const now = services.overview.getState().workspaces?.find(({ id }) => id === entry.id);
      const isElsewhere = now && Object.keys(theirs(before, fieldsOf(now, tilde), typed)).length === 0;
      if (!isElsewhere) throw new ApiProblem(DIFFERS, t('workspaces.changed'), error.status);
      // what the others did is not about what was typed here
      await sendTo(now);
    }
  };
  const { problem } = current ?? opened;
  const fault: Refusal | null =
    broken && problem && typed[broken] === undefined
      ? { code: problem.code, place: broken, sentence: serverSentence(problem) }
      : null;
  // of one that was removed something else is said
  const shown = refusal?.code === DIFFERS && !(current && differs) ? null : (refusal ?? fault);

  return (
    <Dialog title={t('workspaces.editTitle', { name: opened.name })} onClose={onClose}>
      <EntryForm
        values={{ ...fields, ...typed }}
        defaults={fields}
        hasBoard={fields.board !== '' || opened.problem !== undefined}
        hasSettings={current !== undefined}
        theirs={others}
        {...{ busy, refusal: shown }}
        submit={t(busy ? 'workspaces.saving' : submitOf(current !== undefined, differs))}
        onChange={(field, text) => {
          setTyped((before) => ({ ...before, [field]: text }));
          setRefusal(null);
        }}
        onSubmit={() => void save()}
        onCancel={onClose}
      >
        {!current && (
          <p className={styles.note} role="alert">
            {t('workspaces.gone')}
          </p>
        )}
      </EntryForm>
    </Dialog>
  );
}

function submitOf(isThere: boolean, differs: boolean) {
  if (!isThere) return 'workspaces.addAgain';
  return differs ? 'workspaces.saveMine' : 'workspaces.save';
}
