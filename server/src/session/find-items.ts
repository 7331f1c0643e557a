/** What of an item is looked through when people look for words in a conversation. Pure. */
import { placesOf } from '@tscodex/shared/find-text';
import type { Item } from '@tscodex/shared/items';

/** Characters of Markdown that are not shown as such. */
const MARKUP = /[*_`~\\]/g;

export function says(item: Item, words: string): boolean {
  return textsOf(item).some((text) => placesOf(words, text, 1).length > 0);
}

function textsOf(item: Item): string[] {
  switch (item.type) {
    case 'agentMessage':
      return [item.text, item.text.replace(MARKUP, '')];
    case 'userMessage':
      return [item.text];
    case 'reasoning':
      return item.summary;
    case 'commandExecution':
      return [item.command, item.output];
    case 'fileChange':
      return item.changes.flatMap(({ path, movedTo, diff }) => [path, movedTo ?? '', diff]);
    case 'toolCall':
      return [item.name, item.arguments, item.output ?? '', item.error ?? ''];
    case 'webSearch':
      return [item.query];
    case 'imageView':
      return [item.path];
    case 'plan':
      return [item.explanation ?? '', ...item.steps.map(({ step }) => step)];
    case 'subAgent':
      return [item.nickname, item.message ?? ''];
    case 'notice':
      return [item.text];
    default:
      return [];
  }
}
