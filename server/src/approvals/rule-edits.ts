/** Changes to the text of a rules file. */

/** A rule as Codex writes it, without the end of line. */
export function ruleLine(prefix: readonly string[]): string {
  return `prefix_rule(pattern=[${prefix.map((word) => JSON.stringify(word)).join(', ')}], decision="allow")`;
}

/** Everything but this statement; its lines go with it where nothing else is in them. */
export function withoutStatement(text: string, { start, end }: { start: number; end: number }): string {
  const behind = /^[ \t]*;[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const before = behind > 0 ? 0 : (/;[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0);
  const [from, to] = [start - before, end + behind];
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const newline = text.indexOf('\n', to);
  const lineEnd = newline === -1 ? text.length : newline + 1;
  const isAlone =
    /^[ \t]*$/.test(text.slice(lineStart, from)) && /^[ \t\r\n]*$/.test(text.slice(to, lineEnd));
  return isAlone ? text.slice(0, lineStart) + text.slice(lineEnd) : text.slice(0, from) + text.slice(to);
}
