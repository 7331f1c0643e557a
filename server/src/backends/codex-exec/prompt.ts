/** The words of a message, as Codex takes them: it refuses one that has none. */
const IMAGES_ALONE = 'See the attached images.';

export function promptOf(text: string): string {
  return text.trim() === '' ? IMAGES_ALONE : text;
}
