/**
 * What the board's frame may say to the page: only how far it is scrolled and that it has loaded. It is the
 * agent's page, so anything else, from there or from elsewhere, is not heard. Pure.
 */
export type Scroll = { x: number; y: number };
export type BoardMessage = { type: 'scroll'; scroll: Scroll } | { type: 'ready' };

export function readBoardMessage(data: unknown): BoardMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, x, y } = data as Record<string, unknown>;
  if (type === 'tscodex.board.ready') return { type: 'ready' };
  if (type !== 'tscodex.board.scroll' || !Number.isFinite(x) || !Number.isFinite(y)) return null;
  return { type: 'scroll', scroll: { x: x as number, y: y as number } };
}

/** The page's answer to `ready`. */
export function scrollTo({ x, y }: Scroll) {
  return { type: 'tscodex.board.scrollTo', x, y };
}
