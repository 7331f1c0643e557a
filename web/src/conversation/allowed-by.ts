/** What let something run that nobody was asked about, and what it could do beyond its sandbox, in few words. */
import type { Allowance } from '@tscodex/shared/items';
import type { Grants } from '@tscodex/shared/permissions';
import { t } from '../messages/messages.ts';

/** Things beyond the sandbox that a row names; of more it says how many there are. */
const NAMED = 2;

export function allowedBy(allowance: Allowance | undefined): string {
  if (allowance === undefined) return '';
  if (allowance.how === 'rule') return t('conversation.allowedByRule');
  const { how, by } = allowance;
  return by === null ? t(`conversation.allowedFor.${how}`) : t(`conversation.allowedFor.${how}By`, { by });
}

/** `short`: how paths are shown. */
export function beyond(grants: Grants | undefined, short: (path: string) => string): string {
  const { network, read = [], write = [] } = grants ?? {};
  const things = [
    ...(network ? [t('conversation.beyond.network')] : []),
    ...write.map((path) => t('conversation.beyond.write', { path: short(path) })),
    ...read.map((path) => t('conversation.beyond.read', { path: short(path) })),
  ];
  if (things.length === 0) return '';
  const more = things.length - NAMED;
  const what = things.slice(0, NAMED).join(t('conversation.beyond.and'));
  return more > 0 ? t('conversation.beyondMore', { what, count: more }) : t('conversation.beyond', { what });
}
