import { Component, type ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Props = {
  children: ReactNode;
  /** What stands in for a part that failed; without it, a notice that offers a reload. */
  fallback?: ReactNode;
};

/** Where a component fails, only this part of the page does, instead of all of it going blank. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { children, fallback } = this.props;
    if (!this.state.failed) return children;
    return fallback ?? <Crash />;
  }
}

function Crash() {
  return (
    <Notice role="alert" text={t('ui.crash')}>
      <Button look="primary" onClick={() => location.reload()}>
        {t('ui.reload')}
      </Button>
    </Notice>
  );
}
