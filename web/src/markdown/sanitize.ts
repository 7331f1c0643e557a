/**
 * The second wall: what `render.ts` and KaTeX write passes DOMPurify before it reaches the page, with a list of
 * exactly the tags and attributes they write.
 */
import DOMPurify, { type Config } from 'dompurify';

const words = (text: string): string[] => text.split(' ');

const MESSAGE: Config = {
  ALLOWED_TAGS: words(
    'a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr input li ol p pre span strong table tbody td th thead tr ul',
  ),
  ALLOWED_ATTR: words(
    'href target rel title start align type checked disabled tabindex aria-label data-code data-copy data-scroll data-source data-formula data-image',
  ),
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^a-z]|[a-z\d+.-]+(?:[^a-z\d+.\-:]|$))/i,
};

/** KaTeX draws with styles, MathML and SVG; with `trust: false` it writes no links and loads nothing. */
const FORMULA: Config = {
  USE_PROFILES: { html: true, mathMl: true, svg: true },
  ADD_TAGS: ['semantics', 'annotation'],
  ADD_ATTR: ['encoding'],
  FORBID_TAGS: ['a', 'form', 'img', 'input', 'style'],
  FORBID_ATTR: ['href', 'id', 'name'],
};

const purifier = DOMPurify(window);

/** The HTML of a block without formulas. */
export const sanitize = (html: string): string => purifier.sanitize(html, MESSAGE);

/** KaTeX's HTML. */
export const sanitizeFormula = (html: string): string => purifier.sanitize(html, FORMULA);
