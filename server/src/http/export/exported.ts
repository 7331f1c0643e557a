/** A conversation as a file, piece by piece: however long it is, one item of it is held. */
import type { Attachment, Item } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import type { ExportFormat } from '@tscodex/shared/workspace';
import type { ExportWords } from './export-words.ts';
import { dataUrl, markdownOf, type ReadImage } from './markdown-item.ts';
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

/** What it is, and `items`, each on a line of its own. An image that is not kept any more has no `url`. */
export async function* asJson(
  items: AsyncIterable<Item>,
  { id, title, createdAt, cwd, model }: About,
  image: ReadImage,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ id, title, createdAt, cwd, model }).slice(0, -1)},"items":[`;
  let before = '\n';
  for await (const item of items) {
    yield before + JSON.stringify(await withImages(item, image));
    before = ',\n';
  }
  yield before === '\n' ? ']}\n' : '\n]}\n';
}

async function withImages(item: Item, image: ReadImage): Promise<Item> {
  const whole = async (one: Attachment) => {
    const url = await dataUrl(one, image);
    return url === null ? one : { ...one, url };
  };
  if (item.type === 'userMessage')
    return { ...item, attachments: await Promise.all(item.attachments.map(whole)) };
  if (item.type === 'imageView' && item.image) return { ...item, image: await whole(item.image) };
  return item;
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
