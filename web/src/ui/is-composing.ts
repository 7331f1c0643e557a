/**
 * Whether a key belongs to an input method that is still composing (Chinese, Japanese, …). Every handler of
 * Enter or Escape asks this first. Safari ends the composition before the key that ended it, with
 * `isComposing` already false; only the key code 229 tells it then.
 */
export function isComposing(event: {
  keyCode: number;
  isComposing?: boolean;
  nativeEvent?: { isComposing: boolean };
}): boolean {
  return (event.nativeEvent ?? event).isComposing === true || event.keyCode === 229;
}
