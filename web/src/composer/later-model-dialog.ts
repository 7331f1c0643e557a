import { lazy } from 'react';

/** Fetched when it is first opened. */
export const ModelDialog = lazy(() =>
  import('./model-dialog.tsx').then((module) => ({ default: module.ModelDialog })),
);
