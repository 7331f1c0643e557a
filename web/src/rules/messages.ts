import type { Messages } from '../messages/messages.ts';

export const rulesMessages = {
  'rules.title': 'Rules',
  'rules.open': 'Rules…',
  'rules.about':
    'What begins with these words is decided by a rule, in every workspace of this server. Codex reads the same files, in {dir}.',
  'rules.empty': 'No rules yet',
  'rules.emptyText':
    'When an agent asks to run a command, “Always allow…” makes one. Those of Codex, in {dir}, count here, too.',
  'rules.loading': 'Loading…',
  'rules.failed': 'The rules could not be read. {reason}',
  'rules.decision.allow': 'runs without asking',
  'rules.decision.prompt': 'always asks',
  'rules.decision.forbidden': 'never runs',
  'rules.git':
    'Sessions on Codex follow it in every repository, and agents can change what git runs there outside the sandbox.',
  'rules.place': '{file}, line {line}',
  'rules.made': 'made here',
  'rules.madeBy': 'made by {by}',
  'rules.revoke': 'Revoke',
  'rules.revokeRule': 'Revoke: {rule}',
  'rules.revokeTitle': 'Revoke the rule for {rule}?',
  'rules.revoke.allow': 'Such commands ask again, or stay in the sandbox, from now on.',
  'rules.revoke.prompt': 'Such commands do not ask because of it any more.',
  'rules.revoke.forbidden': 'Such commands are not refused because of it any more.',
  'rules.revokeText': '{what} It is taken out of {place} and cannot be brought back from here.',
  'rules.notRevoked': 'Not revoked. {reason}',
  'rules.unreadable': 'Could not be read, and allows nothing',
} as const satisfies Messages;
