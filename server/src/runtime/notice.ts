import type { Notice } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';

/** A completed notice, as of now. `code` is stable; the page translates by it and shows `text` where it cannot. */
export function notice(
  level: Notice['level'],
  code: string,
  text: string,
  about: { turnId?: string; details?: Record<string, unknown> } = {},
): Notice {
  const at = new Date().toISOString();
  return {
    id: uuid(),
    type: 'notice',
    turnId: about.turnId ?? null,
    status: 'completed',
    startedAt: at,
    completedAt: at,
    level,
    code,
    text,
    ...(about.details ? { details: about.details } : {}),
  };
}
