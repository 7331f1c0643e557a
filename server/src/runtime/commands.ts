/** Slash commands: a table of what each does. They run at once, one after another, whatever the agent does. */
import type { SessionState } from '@tscodex/shared/session-state';
import { Failure } from '../base/errors.ts';
import { statusReport } from './status-report.ts';

/** What a command may use of its session. */
export interface CommandHost {
  state(): SessionState;
  interrupt(by: string | null): Promise<void>;
  setTitle(title: string): Promise<void>;
  /** Throws `conflict` while the agent works. */
  setModel(model: string): Promise<void>;
  listModels(): Promise<string[]>;
  /** Begins a session beside this one with its conversation, as far as its turns have ended. */
  fork(): Promise<{ id: string; title: string | null }>;
  /** Names of variables. Throws `environment.profile`. */
  refreshEnvironment(): Promise<{ added: string[]; changed: string[]; removed: string[] }>;
  /** Begins to sum the conversation up; false: there is nothing to sum up. Throws `conflict` while the agent works. */
  compact(): boolean;
}

/** What a command tells, with what other languages need to say the same. */
export type CommandReport = { text: string; details?: Record<string, string | number> };

type Command = {
  usage: string;
  about: string;
  /** What to tell, if anything; `by` is who typed it. Throws `Failure` for what it cannot do. */
  run(argument: string, host: CommandHost, by: string | null): Promise<Told> | Told;
};
type Told = string | CommandReport | null;

const commands: Record<string, Command> = {
  help: {
    usage: '/help',
    about: 'list the commands',
    run: () =>
      Object.values(commands)
        .map(({ usage, about }) => `${usage.padEnd(16)}${about}`)
        .join('\n'),
  },
  title: {
    usage: '/title [TEXT]',
    about: 'show or set the title of this session',
    async run(argument, host) {
      if (argument) await host.setTitle(argument);
      return host.state().title ?? 'This session has no title yet.';
    },
  },
  model: {
    usage: '/model [NAME]',
    about: 'list the models, or switch to one',
    async run(argument, host) {
      if (argument) {
        await host.setModel(argument);
        return `Switched to ${argument}.`;
      }
      const names = await host.listModels();
      return `Current model: ${host.state().model ?? 'none'}\nAvailable: ${names.join(', ') || 'the provider lists none'}`;
    },
  },
  history: {
    usage: '/history',
    about: 'list the messages of this conversation',
    run: (_argument, host) => history(host.state()),
  },
  status: {
    usage: '/status',
    about: 'show how this session is set up, what it has used and what is left',
    run: (_argument, host) => statusReport(host.state()),
  },
  compact: {
    usage: '/compact',
    about: 'compact the context: for the model, a summary takes the place of the conversation before',
    // what becomes of it is shown in the conversation
    run: (_argument, host) => (host.compact() ? null : 'There is nothing to sum up yet.'),
  },
  fork: {
    usage: '/fork',
    about: 'go on in another session, with this conversation as it is now',
    async run(_argument, host) {
      const { id, title } = await host.fork();
      const text = `This conversation goes on in ${title === null ? 'another session' : `“${title}”`} as well.`;
      return { text, details: { sessionId: id, ...(title === null ? {} : { title }) } };
    },
  },
  env: {
    usage: '/env',
    about: 'read the environment of the login shell again, for the commands to come',
    async run(_argument, host) {
      const { added, changed, removed } = await host.refreshEnvironment();
      const signed = (sign: string, names: string[]) => names.map((name) => `${sign}${name}`);
      const changes = [...signed('+', added), ...signed('~', changed), ...signed('-', removed)].join(' ');
      if (!changes) return 'The environment of commands was read again. Nothing has changed.';
      return { text: `The environment of commands was read again: ${changes}`, details: { changes } };
    },
  },
  queue: {
    usage: '/queue TEXT',
    about: 'send TEXT once the running turn has ended',
    run() {
      throw new Failure('invalid', 'command.usage', 'Usage: /queue TEXT');
    },
  },
  stop: {
    usage: '/stop',
    about: 'stop the running turn, or let nothing wake the agent until somebody writes',
    async run(_argument, host, by) {
      const { turn, status } = host.state();
      await host.interrupt(by);
      return turn || status === 'sleeping' ? null : 'Nothing is running.';
    },
  },
};

/** Runs one. Throws `command.unknown` for a word that is none. */
export async function runCommand(
  { name, argument }: { name: string; argument: string },
  host: CommandHost,
  by: string | null,
): Promise<CommandReport | null> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new Failure('notFound', 'command.unknown', `There is no command /${name}. /help lists them.`);
  const told = await command.run(argument, host, by);
  return typeof told === 'string' ? { text: told } : told;
}

const SHOWN = 80;

function history({ items, older }: SessionState): string {
  const lines = items.flatMap((item) => {
    if (item.type === 'userMessage' && item.mode !== 'command') return [`U> ${shorten(item.text)}`];
    if (item.type === 'agentMessage') return [`A> ${shorten(item.text)}`];
    return [];
  });
  if (!lines.length) return 'No history yet.';
  return [...(older ? ['… older messages are above'] : []), ...lines].join('\n');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
