/** The `<code>` of a fence: its text while it grows, handed on to be coloured when it is whole. */
import type { CodeColours } from './code-colours.ts';
import { patchText } from './patch-text.ts';
import type { TreeCode } from './tree.ts';

export function codeElement(code: TreeCode, colours: CodeColours): HTMLElement {
  const made = document.createElement('code');
  made.append(code.text);
  if (code.whole) colours.want(made, code);
  return made;
}

export function patchCode(shown: HTMLElement, before: TreeCode, after: TreeCode, colours: CodeColours): void {
  if (before.text !== after.text) {
    const [only] = shown.childNodes;
    if (shown.childNodes.length === 1 && only instanceof Text) patchText(only, before.text, after.text);
    else shown.replaceChildren(after.text);
  }
  const same = before.text === after.text && before.language === after.language;
  if (same && before.whole === after.whole) return;
  if (after.whole) colours.want(shown, after);
  else colours.forget(shown);
}
