import type { AgentStatus, SubAgent } from '@tscodex/shared/items';
import { lazy, Suspense, useContext, useState } from 'react';
import { isWorking, statusWords } from '../agents/agent-status.ts';
import styles from '../agents/agents.module.css';
import { AgentsContext } from '../agents/agents-context.ts';
import { failureWords } from '../agents/failure-words.ts';
import { StopAgent } from '../agents/stop-agent.tsx';
import { t } from '../messages/messages.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import type { ItemProps } from './item-props.ts';
import type { MarkStatus } from './status-mark.tsx';
import { WorkRow } from './work-row.tsx';

/** It shows items itself, each of which may be one of these. */
const AgentConversation = lazy(() =>
  import('../agents/agent-conversation.tsx').then((module) => ({ default: module.AgentConversation })),
);

const MARKS = {
  pending: 'inProgress',
  running: 'inProgress',
  completed: 'completed',
  failed: 'failed',
  closed: 'completed',
} as const satisfies Record<AgentStatus, MarkStatus>;

/**
 * An agent that this one has started: its task and what it said last; opened, all it says and does. One that lies far
 * back is as it was saved: how it stands is known by the list of those that are open.
 */
export function SubAgentView({ item }: ItemProps<SubAgent>) {
  const [open, setOpen] = useState(false);
  const { agentId: id, nickname, message } = item;
  const now = useContext(AgentsContext).find((agent) => agent.id === id);
  const agentStatus = now?.status ?? item.agentStatus;
  const asks = now?.asks ?? 0;
  return (
    <>
      <WorkRow
        status={asks > 0 ? 'asking' : MARKS[agentStatus]}
        verb={nickname}
        subject={item.prompt.replace(/\s+/g, ' ')}
        aside={asks > 0 ? t('conversation.waitsForYou') : statusWords(agentStatus)}
        action={isWorking(agentStatus) && <StopAgent id={id} nickname={nickname} />}
        open={open}
        onToggle={() => setOpen(!open)}
      >
        <Suspense fallback={<Skeleton />}>
          <AgentConversation item={item} />
        </Suspense>
      </WorkRow>
      {!open && message !== null && (
        <p className={styles.last} data-failed={agentStatus === 'failed' || undefined}>
          {(agentStatus === 'failed' ? failureWords(message) : message).slice(0, 300)}
        </p>
      )}
    </>
  );
}
