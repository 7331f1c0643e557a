import { Component, type ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Where a component fails, this part of the page says so and offers a reload, instead of going blank. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice role="alert" text={t('ui.crash')}>
        <Button look="primary" onClick={() => location.reload()}>
          {t('ui.reload')}
        </Button>
      </Notice>
    );
  }
}
