import type { AgentSummary } from '@tscodex/shared/events';
import { useId, useRef } from 'react';
import { Asks } from '../asks/asks.tsx';
import { useAimedAsk } from '../asks/use-aimed-ask.ts';
import { t } from '../messages/messages.ts';
import { useSession } from '../state/use-session.ts';
import styles from './agents.module.css';

type Props = {
  agents: readonly AgentSummary[];
  /** Whether keys may answer the first of them. */
  hasKeys: boolean;
  onLast: () => void;
};

/** What the agents ask that this session's has started, each in its own name. */
export function AgentAsks({ agents, hasKeys, onLast }: Props) {
  const asking = agents.filter(({ asks }) => asks > 0);
  return asking.map((agent, at) => (
    <AsksOf key={agent.id} agent={agent} hasKeys={hasKeys && at === 0} onLast={onLast} />
  ));
}

function AsksOf({ agent, ...rest }: { agent: AgentSummary } & Pick<Props, 'hasKeys' | 'onLast'>) {
  const { state, actions } = useSession(agent.id);
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useAimedAsk(state, section);
  if (!state || !actions) return null;
  const { hasKeys, onLast } = rest;
  return (
    <>
      {state.asks.length > 0 && (
        <section ref={section} aria-labelledby={id}>
          <h2 id={id} className={styles.asks}>
            {t('agents.asks', { nickname: agent.nickname })}
          </h2>
          <Asks state={state} actions={actions} {...rest} />
        </section>
      )}
      {/* it may have started others itself */}
      <AgentAsks
        agents={state.agents}
        hasKeys={hasKeys && state.asks.every(({ kind }) => kind !== 'approval')}
        onLast={onLast}
      />
    </>
  );
}
