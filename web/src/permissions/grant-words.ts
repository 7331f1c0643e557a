/** What may be allowed beyond the sandbox, in words. */
import type { Grants } from '@tscodex/shared/permissions';
import { t } from '../messages/messages.ts';

/** Single things beyond the sandbox: `path` for the places, which stand behind the words. */
export type GrantLine = { words: string; path?: string };

/** One line a thing; none for what runs without any confinement. */
export function grantLines({ network, read = [], write = [] }: Grants = {}): GrantLine[] {
  return [
    ...(network ? [{ words: t('permissions.grant.network') }] : []),
    ...write.map((path) => ({ words: t('permissions.grant.write'), path })),
    ...read.map((path) => ({ words: t('permissions.grant.read'), path })),
  ];
}
