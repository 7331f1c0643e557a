/** A conversation as a file, piece by piece: however long it is, one item of it is held. */
import type { Item } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import type { ExportFormat } from '@tscodex/shared/workspace';
import type { ExportWords } from './export-words.ts';
import { markdownOf, type ReadImage } from './markdown-item.ts';
import { code, plain } from './markdown-text.ts';

type About = Pick<SessionState, 'id' | 'title' | 'createdAt' | 'cwd' | 'model'>;

export async function* asMarkdown(
  items: AsyncIterable<Item>,
  about: About,
  { words, image }: { words: ExportWords; image: ReadImage },
): AsyncGenerator<string> {
  const facts = [
    `${words.session} ${code(about.id)}`,
    `${words.begun} ${about.createdAt}`,
    `${words.directory} ${code(about.cwd)}`,
    ...(about.model === null ? [] : [`${words.model} ${code(about.model)}`]),
  ];
  yield `# ${plain(about.title ?? words.untitled)}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n`;
  for await (const item of items) yield `\n${await markdownOf(item, words, image)}\n`;
}

/** An array of its items. */
export async function* asJson(items: AsyncIterable<Item>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const ENDINGS = { markdown: 'md', json: 'json' } as const;

/** A name for it that every file system takes. */
export function fileNameOf({ title, id }: Pick<About, 'title' | 'id'>, format: ExportFormat): string {
  const name = (title ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
    .replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+/, '')
    .slice(0, 80)
    .replace(/[ .]+$/, '');
  return `${name || id}.${ENDINGS[format]}`;
}
