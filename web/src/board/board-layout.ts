/** How much of the window's width the board has. Pure. */

export type Layout = {
  /** In percent. */
  share: number;
  collapsed: boolean;
};

export const DEFAULT_SHARE = 38;
export const LEAST_SHARE = 20;
export const MOST_SHARE = 70;

const STEP = 2;

/** Whole and within its bounds. */
export function bounded(share: number): number {
  return Math.round(Math.max(LEAST_SHARE, Math.min(share, MOST_SHARE)));
}

/** Where the edge goes by a key (WAI-ARIA window splitter); null for keys that do not move it. */
export function shareByKey(key: string, share: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return bounded(share + STEP);
    case 'ArrowRight':
      return bounded(share - STEP);
    case 'Home':
      return LEAST_SHARE;
    case 'End':
      return MOST_SHARE;
    default:
      return null;
  }
}

/** What was remembered, or how it lies at first. */
export function readLayout(text: string | null): Layout {
  try {
    const { share, collapsed } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return {
      share: typeof share === 'number' && Number.isFinite(share) ? bounded(share) : DEFAULT_SHARE,
      collapsed: collapsed === true,
    };
  } catch {
    return { share: DEFAULT_SHARE, collapsed: false }; // cut off by a full disk
  }
}
