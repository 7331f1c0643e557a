import { lateDialog } from '../ui/late-dialog.tsx';

export const ModelDialog = lateDialog(() =>
  import('./model-dialog.tsx').then((module) => module.ModelDialog),
);
