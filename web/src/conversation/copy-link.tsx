import { Check, Link2, TriangleAlert } from 'lucide-react';
import { createContext, use, useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import styles from './copy-link.module.css';

/** How long the button says what came of it, in milliseconds. */
const SAID_FOR = 1_500;

const looks = {
  ready: { Icon: Link2, label: 'conversation.copyLink' },
  copied: { Icon: Check, label: 'conversation.linkCopied' },
  failed: { Icon: TriangleAlert, label: 'conversation.linkNotCopied' },
} as const;

/** The session whose messages are linked to, where it is not that of the page's address. */
export const LinkedSession = createContext<string | null>(null);

/** Copies the address of the conversation at this message. */
export function CopyLink({ item }: { item: string }) {
  const [state, setState] = useState<keyof typeof looks>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), SAID_FOR);
    return () => clearTimeout(timer);
  }, [state]);
  const session = use(LinkedSession);
  const { Icon, label } = looks[state];
  return (
    <IconButton
      className={styles.link}
      label={t(label)}
      onClick={async ({ currentTarget }) =>
        setState((await copyText(linkTo(item, session), currentTarget)) ? 'copied' : 'failed')
      }
    >
      <Icon size={14} aria-hidden="true" />
    </IconButton>
  );
}

/** The page's own address names the session otherwise. */
function linkTo(item: string, session: string | null): string {
  const url = new URL(location.href);
  if (session !== null) url.searchParams.set('session', session);
  url.searchParams.set('item', item);
  url.hash = '';
  return url.href;
}
