/**
 * The second wall: what `render.ts` writes passes DOMPurify before it reaches the page, with a list of exactly the
 * tags and attributes written there.
 */
import DOMPurify from 'dompurify';

const words = (text: string): string[] => text.split(' ');

const purifier = DOMPurify(window);
// set once: taking up a list costs more than cleaning a block with it
purifier.setConfig({
  ALLOWED_TAGS: words(
    'a blockquote br button code del div em h3 h4 h5 h6 hr input li ol p pre span strong table tbody td th thead tr ul',
  ),
  ALLOWED_ATTR: words(
    'href target rel title start align type checked disabled tabindex aria-label data-code data-copy data-scroll data-source data-formula data-image',
  ),
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  IN_PLACE: true,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^a-z]|[a-z\d+.-]+(?:[^a-z\d+.\-:]|$))/i,
});

/** In a document of its own, where nothing runs or loads. */
const workbench = document.implementation.createHTMLDocument('').createElement('div');

/** The HTML of a block, its formulas not yet typeset. */
export function sanitize(html: string): string {
  // in place, because DOMPurify's own way makes a document for each block and takes twice the time
  workbench.innerHTML = html;
  purifier.sanitize(workbench);
  return workbench.innerHTML;
}
