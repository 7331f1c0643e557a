/**
 * One block to a tree. HTML in the source has become text in the lexer, links lead to the web alone, images are
 * not loaded.
 */
import type { MarkedToken, Token, Tokens } from 'marked';
import { t } from '../messages/messages.ts';
import { decodeEntities } from './entities.ts';
import type { FormulaToken } from './math.ts';
import { element, type Tag, type Tree, type TreeNode } from './tree.ts';
import { codeLayout, wrapsCode } from './wrap-code.ts';

/** A token and what it becomes; `open` where more text may be added to its end. */
type Renderers = {
  readonly [Type in MarkedToken['type']]: (
    token: Extract<MarkedToken, { type: Type }>,
    open: boolean,
  ) => Tree;
};

const around = (tag: Tag) => (token: { tokens: Token[] }, open: boolean) => [
  element(tag, nodesOf(token.tokens, open)),
];

const marks: Renderers = {
  space: () => [],
  def: () => [],
  paragraph: around('p'),
  blockquote: around('blockquote'),
  hr: () => [element('hr')],
  heading: ({ depth, tokens }) => [element(headingTag(depth), nodesOf(tokens, false))],
  list: ({ ordered, start, items }, open) => {
    const children = items.map((item, at) =>
      element('li', nodesOf(item.tokens, open && at === items.length - 1)),
    );
    if (!ordered) return [element('ul', children)];
    return [element('ol', children, start === 1 ? {} : { start: String(start) })];
  },
  list_item: around('li'),
  checkbox: ({ checked }) => [
    element('input', [], {
      type: 'checkbox',
      disabled: '',
      ...(checked ? { checked: '' } : {}),
      'aria-label': checked ? t('markdown.done') : t('markdown.open'),
    }),
    ' ',
  ],
  table: (token) => [element('div', [tableOf(token)], { 'data-scroll': '', tabindex: '0' })],
  code: (token, open) => [codeBlock(token, open)],
  codespan: ({ text }) => [element('code', [text])],
  strong: around('strong'),
  em: around('em'),
  del: around('del'),
  br: () => [element('br')],
  // the lexer lets nothing else through
  html: () => [element('br')],
  link: ({ href, title, tokens }) => {
    const children = nodesOf(tokens, false);
    const target = linkTarget(href);
    return target ? [element('a', children, { ...target, ...(title ? { title } : {}) })] : children;
  },
  // a link, because an image that loads by itself tells its owner who reads the message, and when
  image: ({ href, text }) => {
    const name = t('markdown.image', { name: text || href });
    const target = linkTarget(href);
    return target ? [element('a', [name], { 'data-image': '', ...target, title: href })] : [name];
  },
  escape: ({ text }) => [decodeEntities(text)],
  text: (token, open) =>
    'tokens' in token && token.tokens ? nodesOf(token.tokens, open) : [decodeEntities(token.text)],
};

/** Tokens of our own, from `math.ts` and `lexer.ts`. */
const formulas: Readonly<Record<string, (token: FormulaToken) => Tree>> = {
  formula: (token) => [formula(token)],
  formulaBlock: (token) => [element('p', [formula(token)])],
  openFormula: ({ raw }) => [element('p', [element('span', [raw.trim()], { 'data-source': '' })])],
};

/** The block's tree. `open`: more text may be added to its end. */
export const renderBlock = (block: Token, open: boolean): Tree => nodesOf([block], open);

function nodesOf(tokens: readonly Token[], open: boolean): Tree {
  const nodes: TreeNode[] = [];
  for (const [at, token] of tokens.entries())
    for (const node of rendererOf(token)(token, open && at === tokens.length - 1)) append(nodes, node);
  return nodes;
}

/** Text beside text is one text. */
function append(nodes: TreeNode[], node: TreeNode): void {
  const last = nodes.at(-1);
  if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node;
  else if (node !== '') nodes.push(node);
}

function rendererOf({ type }: Token): (token: Token, open: boolean) => Tree {
  const known = Object.hasOwn(formulas, type) ? formulas[type] : marks[type as MarkedToken['type']];
  // the type of a token is what its renderer was found by
  return known as (token: Token, open: boolean) => Tree;
}

/** The page and its parts have the two levels above. */
const headingTag = (depth: number): Tag => `h${Math.min(depth + 2, 6) as 3 | 4 | 5 | 6}`;

const formula = ({ tex, display, raw }: FormulaToken): TreeNode => ({
  kind: 'formula',
  tex,
  display,
  source: raw.trim(),
});

function codeBlock({ text, lang }: Tokens.Code, open: boolean): TreeNode {
  const language = /^\S*/.exec(lang ?? '')?.[0] ?? '';
  const tools = [
    element('button', [t('markdown.wrap')], {
      type: 'button',
      'data-wrap': '',
      'aria-pressed': String(wrapsCode()),
    }),
    element('button', [t('markdown.copy')], { type: 'button', 'data-copy': '' }),
  ];
  const head = [element('span', language ? [language] : []), element('span', tools, { 'data-tools': '' })];
  const code: TreeNode = { kind: 'code', text, language, whole: !open };
  const parts = [element('div', head), element('pre', [code], { tabindex: '0' })];
  return element('div', parts, { 'data-code': codeLayout() });
}

function tableOf({ header, rows }: Tokens.Table): TreeNode {
  const head = element('thead', [element('tr', header.map(cellOf))]);
  const body = rows.map((row) => element('tr', row.map(cellOf)));
  return element('table', body.length > 0 ? [head, element('tbody', body)] : [head]);
}

const cellOf = ({ header, tokens, align }: Tokens.TableCell): TreeNode =>
  element(header ? 'th' : 'td', nodesOf(tokens, false), align ? { align } : {});

/** The attributes of a link to `href`, if it leads to the web, a mailbox or a place relative to the page. */
function linkTarget(href: string): { href: string; target: string; rel: string } | undefined {
  const address = href.replaceAll('&amp;', '&');
  // browsers skip blanks and control characters in a scheme; an entity in it is up to no good
  const [, scheme, end] = /^([a-z][a-z\d+.-]*)([:&])/i.exec(address.replace(/[\p{Cc}\s]/gu, '')) ?? [];
  if (scheme && !(end === ':' && /^(?:https?|mailto)$/i.test(scheme))) return undefined;
  return { href: address, target: '_blank', rel: 'noopener noreferrer' };
}
