import { Inbox, X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { useAimStore } from '../state/aim.ts';
import { IconButton } from '../ui/button.tsx';
import { useModal } from '../ui/use-modal.ts';
import { InboxList } from './inbox-list.tsx';
import styles from './inbox-panel.module.css';
import { useHold } from './use-hold.ts';
import { useRows } from './use-rows.ts';
import { askedBy, type Waiting } from './waiting.ts';

/** Below the button where there is room, else over the whole page. Escape and a press beside it close it. */
export function InboxPanel({ waiting, onClose }: { waiting: readonly Waiting[]; onClose: () => void }) {
  const { dialog, props } = useModal(onClose);
  const title = useRef<HTMLHeadingElement>(null);
  const aim = useAimStore();
  const { held, handlers } = useHold();
  const rows = useRows(waiting, held ? 'on' : 'away');
  const id = useId();

  useLayoutEffect(() => placeBelow(dialog.current, visibleButton()), [dialog]);
  // on the title: on the first button, a key that was meant for elsewhere would decide something
  useEffect(() => title.current?.focus(), []);

  const open = (waiting: Waiting) => {
    dialog.current?.close();
    aim.setState({ aim: { session: askedBy(waiting), ask: waiting.ask?.id ?? null } });
  };

  return (
    <dialog {...props} className={styles.panel} aria-labelledby={id} data-inbox-panel>
      <div className={styles.inside} {...handlers}>
        <header className={styles.head}>
          <h2 id={id} ref={title} tabIndex={-1}>
            {t('inbox.title')}
          </h2>
          <kbd>{t('inbox.key')}</kbd>
          <IconButton label={t('inbox.close')} onClick={() => dialog.current?.close()}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </header>
        <div className={styles.scroll}>
          {rows.length > 0 ? <InboxList rows={rows} onOpen={open} /> : <Nothing />}
        </div>
      </div>
    </dialog>
  );
}

function Nothing() {
  return (
    <div className={styles.nothing}>
      <Inbox size={22} aria-hidden="true" />
      <p>{t('inbox.empty')}</p>
      <small>{t('inbox.emptyText')}</small>
    </div>
  );
}

/** The inbox button that is on show, if one is. */
function visibleButton(): HTMLElement | undefined {
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-inbox-button]')];
  return buttons.find((button) => button.getClientRects().length > 0);
}

/** Where there is a button, its place for the style sheet, which keeps the panel within the window. */
function placeBelow(panel: HTMLElement | null, button: HTMLElement | undefined): void {
  const rect = button?.getBoundingClientRect();
  if (!panel || !rect) return;
  panel.style.setProperty('--button-bottom', `${rect.bottom}px`);
  panel.style.setProperty('--button-right', `${rect.right}px`);
}
