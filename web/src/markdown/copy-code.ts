import { t } from '../messages/messages.ts';

/** How long a button says what came of it, in milliseconds. */
const SAID_FOR = 1_500;

/** The Copy button of a code block: puts exactly the block's text on the clipboard. For a click anywhere in a message. */
export async function copyCode(target: EventTarget): Promise<void> {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
  const code = button?.closest('[data-code]')?.querySelector('code');
  if (!button || !code) return;
  button.textContent = t((await copy(code)) ? 'markdown.copied' : 'markdown.copyFailed');
  setTimeout(() => {
    button.textContent = t('markdown.copy');
  }, SAID_FOR);
}

async function copy(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    return copySelection(code); // no clipboard on plain http, or no permission
  }
}

/** The old way: select, copy, and give people back the selection they had. */
function copySelection(code: Element): boolean {
  const selection = document.getSelection();
  if (!selection) return false;
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  const setText = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', code.textContent ?? '');
    event.preventDefault();
  };
  selection.selectAllChildren(code);
  document.addEventListener('copy', setText, { once: true });
  const copied = document.execCommand('copy');
  document.removeEventListener('copy', setText);
  selection.removeAllRanges();
  if (before) selection.addRange(before);
  return copied;
}
