/** Puts a text on the clipboard; whether it is there. `beside`: any element that shows something. */
export async function copyText(text: string, beside: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text, beside); // no clipboard on plain http, or no permission
  }
}

/** The old way: select, copy, and give people back the selection they had. */
function copySelection(text: string, beside: Element): boolean {
  const selection = document.getSelection();
  if (!selection) return false;
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  const setText = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  selection.selectAllChildren(beside);
  document.addEventListener('copy', setText, { once: true });
  const copied = document.execCommand('copy');
  document.removeEventListener('copy', setText);
  selection.removeAllRanges();
  if (before) selection.addRange(before);
  return copied;
}
