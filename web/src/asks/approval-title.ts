import type { Approval } from '@tscodex/shared/asks';
import { t } from '../messages/messages.ts';

/** What an approval asks for, as a question. */
export function approvalTitle(approval: Approval | undefined): string {
  switch (approval?.what) {
    case 'patch':
      return t('asks.applyPatch', { count: approval.changes?.length ?? 0 });
    case 'permissions':
      return t('asks.permissions');
    case 'mcp':
      return t('asks.mcp');
    default:
      return t(approval?.grants?.unconfined ? 'asks.runOutside' : 'asks.runCommand');
  }
}
