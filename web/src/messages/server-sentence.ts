/** What the server says, in the page's language: it speaks English, and says with each sentence a code. */
import { spoken } from './spoken.ts';

type Said = { code: string; message: string; details?: Readonly<Record<string, unknown>> | undefined };

/** The server's own sentence where the page's language has none for the code, or lacks a detail of it. */
export function serverSentence({ code, message, details = {} }: Said): string {
  const { serverSentences } = spoken();
  if (code === 'command.help') return eachCommand(message);
  const key = [`${code}.${details.kind}`, code].find((one) => Object.hasOwn(serverSentences, one));
  const known = key === undefined ? undefined : serverSentences[key];
  const sentences = typeof known === 'string' ? [known] : (known ?? []);
  if (code === 'command.status') return knownLines(sentences, details) || message;
  for (const sentence of sentences) {
    const filled = fill(sentence, { ...details, server: message });
    if (filled !== null) return filled;
  }
  return message;
}

/** The status is a line a fact; one that is not known has no line. */
function knownLines(lines: readonly string[], facts: Readonly<Record<string, unknown>>): string {
  return lines.flatMap((line) => fill(line, facts) ?? []).join('\n');
}

/** null where a place has no value to show. */
function fill(sentence: string, values: Readonly<Record<string, unknown>>): string | null {
  let whole = true;
  const text = sentence.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = values[name];
    if (typeof value === 'number') return spoken().formats.whole.format(value);
    if (typeof value !== 'string' || value === '') whole = false;
    return String(value);
  });
  return whole ? text : null;
}

/** The help is a line a command: how it is typed, blanks, what it is for. */
function eachCommand(help: string): string {
  const { serverSentences } = spoken();
  return help.replace(/^(\/\w+)(.*? {2,})\S.*$/gm, (line, name: string, typed: string) => {
    const about = serverSentences[`command.help.${name}`];
    return typeof about === 'string' ? `${name}${typed}${about}` : line;
  });
}
