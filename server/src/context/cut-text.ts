import cut from '@tscodex/prompts/context/cut.md';

/** The beginning of a file as the model reads it, which has `bytes` bytes and of which `shown` are here. */
export function cutText(
  text: string,
  { path, bytes, shown }: { path: string; bytes: number; shown: number },
) {
  const places: Record<string, string> = { path, bytes: `${bytes}`, shown: `${shown}` };
  const mark = cut.trim().replace(/\{(\w+)\}/g, (_, name) => places[name] ?? '');
  return [text.trim(), mark].filter(Boolean).join('\n\n');
}
