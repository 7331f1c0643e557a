/** What a session lets commands do, told from its state. Pure but for the words. */
import type { Held } from '@tscodex/shared/permissions';
import { t } from '../messages/messages.ts';

/** Nobody is asked and nothing holds commands in: the server's configuration says so, no person here can. */
export function runsAnything({ approvalPolicy, sandboxMode }: Held): boolean {
  return approvalPolicy === 'never' && sandboxMode === 'danger-full-access';
}

/** In one word or two, and how much it matters. */
export function brief(state: Held): { words: string; tone: 'ok' | 'warn' | 'bad' } {
  const { confined, sandboxMode, networkAccess } = state;
  if (sandboxMode === 'danger-full-access')
    return { words: t('permissions.chip.full'), tone: runsAnything(state) ? 'bad' : 'warn' };
  if (!confined) return { words: t('permissions.chip.notConfined'), tone: 'warn' };
  const network = networkAccess && sandboxMode === 'workspace-write';
  const words = t(network ? 'permissions.chip.network' : 'permissions.chip.confined', { mode: sandboxMode });
  return { words, tone: 'ok' };
}

/** What commands may do, and when people are asked. */
export function sentence(state: Held): string {
  return t('permissions.both', { hold: t(holdOf(state)), asks: t(asksOf(state)) });
}

function holdOf({ confined, sandboxMode, networkAccess }: Held) {
  if (!confined) return 'permissions.is.free';
  if (sandboxMode === 'read-only') return 'permissions.is.read-only';
  return networkAccess ? 'permissions.is.network' : 'permissions.is.workspace-write';
}

function asksOf(state: Held) {
  const { confined, approvalPolicy } = state;
  if (runsAnything(state)) return 'permissions.asks.nothing';
  if (!confined) return approvalPolicy === 'never' ? 'permissions.asks.refused' : 'permissions.asks.all';
  if (approvalPolicy === 'never') return 'permissions.asks.never';
  return approvalPolicy === 'untrusted' ? 'permissions.asks.untrusted' : 'permissions.asks.on-request';
}
