/** The commands that are offered while one is being typed. */
import type { composerMessages } from './messages.ts';

export type Command = {
  name: string;
  about: Extract<keyof typeof composerMessages, `composer.about${string}`>;
  /** Whether words follow it. */
  takesText: boolean;
};

const COMMANDS: readonly Command[] = [
  { name: '/help', about: 'composer.aboutHelp', takesText: false },
  { name: '/title', about: 'composer.aboutTitle', takesText: true },
  { name: '/model', about: 'composer.aboutModel', takesText: true },
  { name: '/cd', about: 'composer.aboutCd', takesText: true },
  { name: '/fork', about: 'composer.aboutFork', takesText: false },
  { name: '/history', about: 'composer.aboutHistory', takesText: false },
  { name: '/resume', about: 'composer.aboutResume', takesText: true },
  { name: '/export', about: 'composer.aboutExport', takesText: false },
  { name: '/status', about: 'composer.aboutStatus', takesText: false },
  { name: '/compact', about: 'composer.aboutCompact', takesText: false },
  { name: '/env', about: 'composer.aboutEnv', takesText: false },
  { name: '/queue', about: 'composer.aboutQueue', takesText: true },
  { name: '/stop', about: 'composer.aboutStop', takesText: false },
];

/** What the text may become. A command typed in full offers nothing: Enter sends it. */
export function completions(text: string): readonly Command[] {
  if (!/^\/[a-z]*$/.test(text) || COMMANDS.some(({ name }) => name === text)) return [];
  return COMMANDS.filter(({ name }) => name.startsWith(text));
}

/** The text once a command was picked. */
export function completed({ name, takesText }: Command): string {
  return takesText ? `${name} ` : name;
}

/** The choice `step` further, going round. */
export function moved(choice: number, step: 1 | -1, count: number): number {
  return (choice + step + count) % count;
}

/** Whether the text is one of the commands, which are never an answer or a message. */
export function isCommand(text: string): boolean {
  const word = /^\/[a-z]+(?=\s|$)/.exec(text)?.[0];
  return COMMANDS.some(({ name }) => name === word);
}
