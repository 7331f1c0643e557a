/** One item of a conversation as Markdown. */
import type { Attachment, CommandExecution, FileEdit, Item } from '@tscodex/shared/items';
import { OUTPUT_HEAD } from '@tscodex/shared/limits';
import type { ExportWords } from './export-words.ts';
import { closed, code, fenced, plain, quoted, shownByTerminal } from './markdown-text.ts';

/** As the server keeps it, whatever a file says of it; null where it is gone. */
export type ReadImage = (id: string) => Promise<{ mediaType: string; bytes: Buffer } | null>;

export async function markdownOf(item: Item, words: ExportWords, image: ReadImage): Promise<string> {
  switch (item.type) {
    case 'userMessage': {
      const images = await Promise.all(item.attachments.map((one) => imageOf(one, words, image)));
      const text = item.mode === 'command' ? code(item.text) : closed(item.text);
      return [headed(item.author ?? words.person, item), text, ...images].filter(Boolean).join('\n\n');
    }
    case 'agentMessage':
      return `${headed(words.agent, item)}\n\n${closed(item.text)}`;
    case 'reasoning':
      return quoted(`*${words.thought}*\n\n${closed(item.summary.join('\n\n'))}`);
    case 'commandExecution':
      return commandOf(item, words);
    case 'fileChange': {
      const changes = item.changes.map((edit) => editOf(edit, words));
      const error = item.error === undefined ? [] : [fenced(item.error)];
      return [...changes, ...statusOf(item, words), ...error].join('\n\n');
    }
    case 'toolCall': {
      const name = item.server === undefined ? item.name : `${item.server}.${item.name}`;
      const answer = [item.output, item.error].flatMap((text) => (text ? [fenced(text)] : []));
      const status = statusOf(item, words);
      return [`**${words.called}** ${code(name)}`, fenced(item.arguments), ...answer, ...status].join('\n\n');
    }
    case 'webSearch':
      return `**${words.searched}** ${code(item.query)}`;
    case 'imageView': {
      const shown = item.image ? [await imageOf(item.image, words, image)] : [];
      return [`**${words.looked}** ${code(item.path)}`, ...shown].join('\n\n');
    }
    case 'plan': {
      const box = (status: string) => (status === 'completed' ? '[x]' : '[ ]');
      const steps = item.steps.map(({ step, status }) => `- ${box(status)} ${plain(step)}`);
      return [
        `**${words.plan}**`,
        ...(item.explanation ? [closed(item.explanation)] : []),
        steps.join('\n'),
      ].join('\n\n');
    }
    case 'compaction':
      return `*${words.compacted}*`;
    case 'subAgent': {
      const said = item.message === null ? [] : [quoted(closed(item.message))];
      return [`**${words.subAgent} ${plain(item.nickname)}**`, quoted(closed(item.prompt)), ...said].join(
        '\n\n',
      );
    }
    case 'notice':
      return item.text.includes('\n') ? fenced(item.text) : quoted(plain(item.text));
    default:
      // of a kind that a later version brings
      return fenced(JSON.stringify(item, null, 2), 'json');
  }
}

function headed(who: string, { startedAt }: Item): string {
  return `## ${plain(who)} · ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Nothing for what has simply been done. */
function statusOf({ status }: Item, words: ExportWords): string[] {
  return status === 'completed' ? [] : [`*${words.status[status]}*`];
}

function commandOf(item: CommandExecution, words: ExportWords): string {
  const { exitCode, durationMs, output, outputBytes, truncated } = item;
  const facts = [
    ...(exitCode === undefined || exitCode === null ? [] : [`${words.exit} ${exitCode}`]),
    ...(durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`]),
    ...(item.status === 'failed' || item.status === 'completed' ? [] : [words.status[item.status]]),
  ].join(', ');
  const shown = truncated ? withGap(output, outputBytes, words) : output;
  const text = `$ ${item.command}\n${shownByTerminal(shown)}`;
  return `**${words.ran}**${facts === '' ? '' : ` (${facts})`}\n\n${fenced(text, 'console')}`;
}

/** Of a long output only its beginning and its end are kept with the conversation. */
function withGap(output: string, bytes: number, words: ExportWords): string {
  const left = bytes - Buffer.byteLength(output);
  return `${output.slice(0, OUTPUT_HEAD)}\n[… ${left} ${words.leftOut} …]\n${output.slice(OUTPUT_HEAD)}`;
}

function editOf({ path, kind, movedTo, diff }: FileEdit, words: ExportWords): string {
  const verbs = { add: words.added, update: words.changed, delete: words.deleted, move: words.moved };
  const where = movedTo === undefined ? code(path) : `${code(path)} → ${code(movedTo)}`;
  return `**${verbs[kind]}** ${where}${diff === '' ? '' : `\n\n${fenced(diff, 'diff')}`}`;
}

async function imageOf(image: Attachment, words: ExportWords, read: ReadImage): Promise<string> {
  const url = await dataUrl(image, read);
  const name = plain(image.name);
  return url === null ? `*${name}: ${words.imageGone}*` : `![${name}](${url})`;
}

/** null where it is gone. */
export async function dataUrl({ id }: Attachment, read: ReadImage): Promise<string | null> {
  const kept = await read(id);
  return kept && `data:${kept.mediaType};base64,${kept.bytes.toString('base64')}`;
}
