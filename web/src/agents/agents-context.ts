import type { AgentSummary } from '@tscodex/shared/events';
import { createContext } from 'react';

/** The agents that the session in view has started and not closed. */
export const AgentsContext = createContext<readonly AgentSummary[]>([]);
