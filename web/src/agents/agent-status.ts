import type { AgentStatus } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';

/** Whether it has something to do. */
export function isWorking(status: AgentStatus): boolean {
  return status === 'pending' || status === 'running';
}

export function statusWords(status: AgentStatus): string {
  return t(`agents.${status}`);
}

/** The address of an agent's own page. */
export function placeOfSession(workspaceId: string, session: string): string {
  return `/w/${encodeURIComponent(workspaceId)}/?${new URLSearchParams({ session })}`;
}
