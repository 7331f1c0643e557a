import { CircleUser } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { usePopover } from '../ui/use-popover.ts';
import { Face } from './face.tsx';
import { NameForm } from './name-form.tsx';
import { useMe } from './use-people.ts';
import styles from './you-button.module.css';

/** Opens what is one's own: the name, the language, and (as `children`) the way out. */
export function YouButton({ children }: { children: ReactNode }) {
  const me = useMe();
  const { isOpen, toggle, close, around } = usePopover();
  const name = me?.name ?? null;
  const label = name === null ? t('people.you') : t('people.youNamed', { name });
  return (
    <span className={styles.around} {...around}>
      <IconButton label={label} aria-haspopup="dialog" aria-expanded={isOpen} onClick={toggle}>
        {me && name !== null ? <Face person={me} /> : <CircleUser size={18} aria-hidden="true" />}
      </IconButton>
      {isOpen && (
        <Panel>
          <NameForm key={name} label={t('people.yourName')} name={name ?? ''} onSaved={close} />
          <div className={styles.more}>
            <LanguageSwitch />
            {children}
          </div>
        </Panel>
      )}
    </span>
  );
}

/** Opened by hand, it is for changing the name: the field is ready. */
function Panel({ children }: { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector('input')?.select(), []);
  return (
    <div ref={panel} className={styles.panel} role="dialog" aria-label={t('people.you')}>
      {children}
    </div>
  );
}
