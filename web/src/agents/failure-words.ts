import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';

/** Why an agent has failed, for people: the one that started it is told so with a name or a code before it. */
export function failureWords(message: string): string {
  if (message === 'TurnInterrupted: turn interrupted') return t('agents.stopped');
  if (message === 'TurnInterrupted: turn interrupted by a restart of the server') return t('agents.cutOff');
  const [, code, text] = /^([a-z][\w-]*(?:\.[\w-]+)+): (.+)$/s.exec(message) ?? [];
  return code && text ? serverSentence({ code, message: text }) : message;
}
