import type { NewWorkspace } from '@tscodex/shared/workspace';
import { useState } from 'react';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { addWorkspace } from '../state/workspace-actions.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NOTHING, nextName, textsOf } from './entry-edit.ts';
import { EntryForm } from './entry-form.tsx';
import { useSending } from './use-sending.ts';

/** Adds a workspace. Whatever is left empty is what the field says it then is. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const { api, overview } = useServices();
  const { workspaces } = useStore(overview);
  const [values, setValues] = useState(NOTHING);
  const { busy, refusal, send } = useSending();
  const name = nextName(workspaces ?? []);
  const add = () =>
    send(async () => {
      const workspace: NewWorkspace = textsOf(NOTHING, values);
      await addWorkspace(api, workspace);
      onAdded(workspace.name ?? name);
    });
  return (
    <Dialog title={t('workspaces.addTitle')} onClose={onClose}>
      <EntryForm
        {...{ values, busy, refusal }}
        defaults={{
          ...NOTHING,
          name,
          dir: t('workspaces.dirDefault'),
          board: t('workspaces.boardDefault', { id: values.name.trim() || name }),
        }}
        hasBoard={true}
        hasSettings={false}
        submit={t(busy ? 'workspaces.adding' : 'workspaces.addConfirm')}
        onChange={(field, text) => setValues((before) => ({ ...before, [field]: text }))}
        onSubmit={() => void add()}
        onCancel={onClose}
      />
    </Dialog>
  );
}
