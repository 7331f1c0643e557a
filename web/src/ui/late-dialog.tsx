import { type ComponentType, lazy } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

/**
 * A dialog that is fetched when it is first opened, within a `Suspense`. Where it cannot be (the connection is lost,
 * the server has another version by now) a dialog in its place says so, and the page behind it stays as it is.
 */
export function lateDialog<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotFetched }),
    ),
  );
}

function NotFetched({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('ui.notFetchedTitle')} onClose={onClose}>
      <Notice role="alert" text={t('ui.notFetched')}>
        <Button look="primary" onClick={() => location.reload()}>
          {t('ui.reload')}
        </Button>
      </Notice>
    </Dialog>
  );
}
