import type { Notice } from '@tscodex/shared/items';
import { useLocation } from 'wouter';
import { placeOfSession } from '../agents/agent-status.ts';
import { t } from '../messages/messages.ts';
import { spoken } from '../messages/spoken.ts';
import { useOpening } from '../state/opening.ts';
import { Button } from '../ui/button.tsx';
import styles from './notice.module.css';

/** Only what the server's own routes are. */
const EXPORT = /^api\/sessions\/[\w-]+\/export\?format=\w+$/;

/** Where what a notice tells of is to be had: another session, a file. */
export function NoticeLinks({ item }: { item: Notice }) {
  const opening = useOpening();
  const [, navigate] = useLocation();
  const { sessionId, workspaceId, exportPath } = item.details ?? {};
  const session = item.code === 'command.fork' && typeof sessionId === 'string' ? sessionId : null;
  const elsewhere =
    item.code === 'command.resume' && typeof sessionId === 'string' && typeof workspaceId === 'string'
      ? placeOfSession(workspaceId, sessionId)
      : null;
  const path = typeof exportPath === 'string' && EXPORT.test(exportPath) ? exportPath : null;
  if (path === null && elsewhere === null && (session === null || !opening)) return null;
  return (
    <div className={styles.actions}>
      {session !== null && opening && (
        <Button onClick={() => opening.open(session)}>{t('conversation.goThere')}</Button>
      )}
      {elsewhere !== null && <Button onClick={() => navigate(elsewhere)}>{t('conversation.goThere')}</Button>}
      {path !== null && (
        <a href={inLanguage(path)} download>
          {t('conversation.download')}
        </a>
      )}
    </div>
  );
}

function inLanguage(path: string): string {
  return `${path}&language=${spoken().language}`;
}
