/** The bold line that a model puts at the head of a part of its summary; empty where there is none. */
export function thoughtTitle(part: string): string {
  return /^\s*\*\*([^*\n]+)\*\*/.exec(part)?.[1]?.trim() ?? '';
}
