/** Whether ⌘ takes the place of Ctrl, and Option types letters. */
export function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.platform);
}
