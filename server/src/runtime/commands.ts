/** Slash commands: a table of what each does. They run at once, one after another, whatever the agent does. */
import type { Item } from '@tscodex/shared/items';
import { lacks } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import { exportFormat, type SessionChange } from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import { historyCommand } from './history-command.ts';
import { modelCommand } from './model-command.ts';
import { resumeCommand, type SessionsElsewhere } from './resume-command.ts';
import { statusReport } from './status-report.ts';

/** What a command may use of its session. */
export interface CommandHost {
  state(): SessionState;
  interrupt(by: string | null): Promise<void>;
  /** Throws `conflict` for what cannot be changed while the agent works. */
  change(change: SessionChange, by: string | null): Promise<void>;
  /** The efforts that a model takes; undefined where that is not known. */
  efforts(model: string): readonly string[] | undefined;
  listModels(): Promise<string[]>;
  /** All items of the conversation, the newest first. */
  newestFirst(): AsyncIterable<Item>;
  /** Begins a session beside this one with its conversation, as far as its turns have ended. */
  fork(): Promise<{ id: string; title: string | null }>;
  readonly sessions: SessionsElsewhere;
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
        .map(({ usage, about }) => `${usage.padEnd(24)}${about}`)
        .join('\n'),
  },
  title: {
    usage: '/title [TEXT]',
    about: 'show or set the title of this session',
    async run(argument, host, by) {
      if (argument) await host.change({ title: argument }, by);
      const { title } = host.state();
      return title === null ? 'This session has no title yet.' : { text: title, details: { title } };
    },
  },
  model: {
    usage: '/model [NAME [EFFORT]]',
    about: 'list the models, or switch to one',
    run: modelCommand,
  },
  cd: {
    usage: '/cd [DIR]',
    about: 'show or change the directory in which commands start',
    // a change is told to all
    async run(argument, host, by) {
      const before = host.state().cwd;
      if (argument) await host.change({ cwd: argument }, by);
      const { cwd } = host.state();
      return cwd === before ? { text: `Commands start in ${cwd}.`, details: { cwd } } : null;
    },
  },
  history: {
    usage: '/history [N]',
    about: 'list the newest messages of this conversation',
    run: (argument, host) => historyCommand(argument, () => host.newestFirst()),
  },
  export: {
    usage: '/export [FORMAT]',
    about: 'download this conversation, as markdown or json',
    run(argument, host) {
      const format = exportFormat.safeParse(argument || 'markdown').data;
      if (!format) throw misused('/export [markdown|json]');
      const exportPath = `api/sessions/${host.state().id}/export?format=${format}`;
      return {
        text: 'This conversation can be downloaded, with all that has been said by then.',
        details: { exportPath, format },
      };
    },
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
    run(_argument, host) {
      if (lacks(host.state().backend, 'compact'))
        throw new Failure(
          'conflict',
          'backend.compact',
          'codex exec cannot be told to sum up the conversation: Codex does it by itself when it grows too long.',
        );
      return host.compact() ? null : 'There is nothing to sum up yet.';
    },
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
  resume: {
    usage: '/resume [N|ID|TITLE]',
    about: 'list the newest sessions, or open one',
    run: (argument, host) => resumeCommand(argument, host.sessions),
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
      throw misused('/queue TEXT');
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

function misused(usage: string): Failure {
  return new Failure('invalid', 'command.usage', `Usage: ${usage}`, { details: { usage } });
}

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
