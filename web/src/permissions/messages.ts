import type { Messages } from '../messages/messages.ts';

export const permissionsMessages = {
  'permissions.title': 'What commands may do',
  'permissions.open': 'Permissions: {state}',
  'permissions.openMore': {
    one: '{state}, {count} thing allowed for this session',
    other: '{state}, {count} things allowed for this session',
  },
  'permissions.chip.more': { one: '{state} +{count}', other: '{state} +{count}' },
  'permissions.chip.confined': 'confined: {mode}',
  'permissions.chip.network': 'confined: {mode}, network',
  'permissions.chip.notConfined': 'not confined',
  'permissions.chip.full': 'full access',

  'permissions.both': '{hold} {asks}',
  'permissions.is.read-only':
    'Commands read files. They write nothing and reach no network, but for what people have allowed.',
  'permissions.is.workspace-write':
    'Commands write in the workspace and in temporary files and reach no network, but for what people and the configuration have allowed.',
  'permissions.is.network':
    'Commands write in the workspace and in temporary files, and where people and the configuration have allowed it. They reach the network.',
  'permissions.is.free': 'Nothing holds commands in: they can do whatever the server’s account can.',
  'permissions.asks.untrusted': 'All but what is known to only read asks first.',
  'permissions.asks.on-request': 'What needs more asks first.',
  'permissions.asks.never': 'Nobody is asked: what needs more is refused.',
  'permissions.asks.all': 'So each command and each change asks first.',
  'permissions.asks.refused': 'Nobody is asked, so each command and each change is refused.',
  'permissions.asks.nothing': 'They run without asking.',

  'permissions.sandbox': 'Sandbox',
  'permissions.sandbox.read-only': 'Read only',
  'permissions.sandbox.read-only.about': 'Commands read files and write nothing.',
  'permissions.sandbox.workspace-write': 'Workspace',
  'permissions.sandbox.workspace-write.about': 'They write in the workspace and in temporary files.',
  'permissions.sandbox.danger-full-access': 'Full access',
  'permissions.sandbox.danger-full-access.about': 'Nothing holds them in, so each one asks first.',
  'permissions.approval': 'Approvals',
  'permissions.approval.untrusted': 'Careful',
  'permissions.approval.untrusted.about': 'Asks before all but what is known to only read.',
  'permissions.approval.on-request': 'On request',
  'permissions.approval.on-request.about': 'Asks when a command needs more than the sandbox gives.',
  'permissions.approval.never': 'Never',
  'permissions.approval.never.about': 'Asks nobody and refuses what needs more.',
  'permissions.network': 'Network',
  'permissions.network.off': 'Off',
  'permissions.network.off.about': 'Confined commands reach nothing outside.',
  'permissions.network.on': 'On',
  'permissions.network.on.about': 'They can load from the network, and send to it.',
  'permissions.neverAsks':
    'The agent of this session (codex exec) never asks: what would need an approval is refused.',
  'permissions.networkOnly': 'Counts where the sandbox is “Workspace”.',
  'permissions.notSaved': 'Not changed. {reason}',
  'permissions.newSession':
    'Each new session begins like this. It has settings of its own once its first message is sent.',
  'permissions.newSessions': 'New sessions: {state}',
  'permissions.asWorkspace': 'As the workspace',
  'permissions.asWorkspace.about': 'Now: {value}.',
  'permissions.fromServer': 'As the server’s configuration',
  'permissions.workspaceHint': 'For the sessions that were not set by themselves.',

  'permissions.problem': 'This machine cannot confine commands',
  'permissions.problem.bwrap-missing':
    'Bubblewrap, which confines them, is not installed, or not where config.toml says ([tscodex] bwrap).',
  'permissions.problem.bwrap-too-old': 'The bubblewrap that is installed is too old.',
  'permissions.problem.userns-limit': 'No more user namespaces may be made: their limit is reached, or zero.',
  'permissions.problem.userns-denied':
    'The system lets this account make no user namespaces. Containers forbid it unless they are told otherwise.',
  'permissions.problem.apparmor-userns': 'AppArmor lets bubblewrap make no user namespaces.',
  'permissions.problem.not-enforcing':
    'Bubblewrap runs, but a trial showed that it does not hold commands in.',
  'permissions.problem.untested-architecture':
    'The sandbox was never tried on this kind of processor, so it is not relied on. It was on x86-64.',
  'permissions.problem.unsupported-system': 'This operating system has no sandbox that can be used here.',
  'permissions.problem.other': 'The sandbox did not start.',
  'permissions.fix': 'To mend it, run this and restart the server:',
  'permissions.fixContainer': 'To mend it, start the container with:',
  'permissions.fixElsewhere': 'Run the server on Linux; on Windows, in WSL2.',
  'permissions.detail': 'The system said: {detail}',

  'permissions.kept': 'Allowed for this session',
  'permissions.kept.in': 'in {cwd}',
  'permissions.kept.outside': 'outside the sandbox',
  'permissions.kept.by': 'allowed by {by}',
  'permissions.kept.allowed': 'allowed',
  'permissions.kept.all': 'Every command and change may',
  'permissions.kept.joint': ', ',
  'permissions.kept.moreFiles': { one: 'and {count} more file', other: 'and {count} more files' },
  'permissions.keptFailed': 'What was allowed could not be read. {reason}',
  'permissions.takeBack': 'Take back',
  'permissions.notTakenBack': 'Not taken back. {reason}',

  'permissions.grant.network': 'use the network',
  'permissions.grant.write': 'write',
  'permissions.grant.change': 'change',
  'permissions.grant.unconfined': 'run outside the sandbox',
  'permissions.grant.read': 'read',
} as const satisfies Messages;
