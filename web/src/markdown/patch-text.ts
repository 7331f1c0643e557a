/** A text node from `before` to `after`, touching only what differs: what is selected in front of it stays selected. */
export function patchText(node: CharacterData, before: string, after: string): void {
  if (before === after) return;
  if (node.length !== before.length) {
    node.data = after; // somebody else has changed it: a translation
    return;
  }
  if (after.startsWith(before)) {
    node.appendData(after.slice(before.length));
    return;
  }
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  node.replaceData(same, before.length - same, after.slice(same));
}
