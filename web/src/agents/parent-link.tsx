import type { SessionState } from '@tscodex/shared/session-state';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { placeOfSession } from './agent-status.ts';

/** Of a session that an agent has started: the way to where that was. */
export function ParentLink({ workspaceId, parentId }: Pick<SessionState, 'workspaceId' | 'parentId'>) {
  const { overview } = useServices();
  const { workspaces } = useStore(overview);
  if (parentId === null) return null;
  const sessions = workspaces?.find(({ id }) => id === workspaceId)?.sessions ?? [];
  const title = sessions.find(({ id }) => id === parentId)?.title ?? t('sessions.untitled');
  return <Link href={placeOfSession(workspaceId, parentId)}>{t('agents.of', { session: title })}</Link>;
}
