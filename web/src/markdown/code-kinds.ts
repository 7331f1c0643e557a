/**
 * What a piece of code is, as far as colours tell: a theme whose colours are the numbers of these kinds. What a kind
 * looks like in the light and in the dark is the page's to say (`markdown.module.css`, `ui/tokens.css`), so a code
 * is read once for both.
 */
import type { ThemeRegistration } from '@shikijs/primitive';

/** In the order of their numbers; what is none of them has number 0 and the colour of all text. */
export const KINDS = [
  'comment',
  'keyword',
  'string',
  'constant',
  'function',
  'type',
  'tag',
  'inserted',
  'deleted',
] as const;

const scopes: Record<(typeof KINDS)[number], string[]> = {
  comment: ['comment', 'punctuation.definition.comment', 'meta.diff.header', 'markup.quote'],
  keyword: [
    'keyword',
    'storage',
    'variable.language',
    'markup.heading',
    'meta.diff.range',
    'entity.name.section',
  ],
  string: ['string', 'markup.inline.raw', 'markup.fenced_code', 'markup.underline.link'],
  constant: [
    'constant',
    'support.constant',
    'variable.other.enummember',
    'punctuation.definition.list.begin',
  ],
  function: ['entity.name.function', 'support.function', 'meta.function-call.generic', 'variable.function'],
  type: ['entity.name.type', 'entity.name.class', 'entity.name.namespace', 'support.type', 'support.class'],
  tag: [
    'entity.name.tag',
    'entity.other.attribute-name',
    'support.type.property-name',
    'meta.object-literal.key',
    'variable.other.normal.shell',
  ],
  inserted: ['markup.inserted', 'punctuation.definition.inserted'],
  deleted: ['markup.deleted', 'punctuation.definition.deleted', 'invalid'],
};
/** Inside of others, and none of the kinds again. */
const PLAIN = ['meta.embedded', 'meta.template.expression', 'string meta.interpolation', 'keyword.operator'];

const colourOf = (kind: number): string => `#${kind.toString(16).padStart(6, '0')}`;

export const THEME: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  fg: colourOf(0),
  bg: '#ffffff',
  settings: [
    { settings: { foreground: colourOf(0), background: '#ffffff' } },
    { scope: PLAIN, settings: { foreground: colourOf(0) } },
    ...KINDS.map((name, at) => ({ scope: scopes[name], settings: { foreground: colourOf(at + 1) } })),
  ],
};

/** The number of the kind that a colour of `THEME` stands for. */
export const kindOf = (colour: string | undefined): number => Number.parseInt(colour?.slice(1, 7) ?? '0', 16);
