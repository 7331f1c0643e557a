import type { Messages } from '../messages/messages.ts';

export const agentsMessages = {
  'agents.pending': 'about to begin',
  'agents.running': 'working',
  'agents.completed': 'done',
  'agents.failed': 'failed',
  'agents.closed': 'closed',
  'agents.stopped': 'It was stopped before it was done.',
  'agents.cutOff': 'A restart of the server cut it off.',
  'agents.conversation': 'Conversation of {nickname}',
  'agents.earlier': 'There is more before this.',
  'agents.openAlone': 'Open {nickname} alone',
  'agents.unreadable': '{nickname} cannot be shown: {reason}',
  'agents.stop': 'Stop',
  'agents.stopping': 'Stopping…',
  'agents.stopAgent': 'Stop {nickname}',
  'agents.asks': '{nickname} asks',
  'agents.chip': { one: '{count} agent', other: '{count} agents' },
  'agents.working': { one: '{count} sub-agent works', other: '{count} sub-agents work' },
  'agents.of': 'Sub-agent of {session}',
} as const satisfies Messages;
