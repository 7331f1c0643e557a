/** From news to a notification: what this device wants to know, nobody looks at and no tab has told yet. */
import { t } from '../messages/messages.ts';
import type { Notice } from './browser-notices.ts';
import type { DeviceLocks } from './device-locks.ts';
import type { News } from './news.ts';
import type { Settings } from './settings.ts';
import { bodyOf, titleOf } from './wording.ts';

export type Announcing = {
  settings: Settings;
  locks: Pick<DeviceLocks, 'looked' | 'claim'>;
  show: (notice: Notice) => void;
  /** Goes to what it is about; null: to all of it. */
  open: (news: News | null) => void;
};

/** Much at once, as after a night, is one notification. */
export async function announce(
  news: readonly News[],
  { settings, locks, show, open }: Announcing,
): Promise<void> {
  const wanted = news.filter((one) => isWanted(one, settings));
  if (wanted.length === 0) return;
  const looked = await locks.looked(wanted.map(({ session }) => session.id));
  const unseen = wanted.filter(({ session }) => !looked.has(session.id));
  const free = await locks.claim(unseen.map(({ key }) => key));
  const untold = unseen.filter(({ key }) => free.has(key));
  const [first] = untold;
  if (!first) return;
  if (untold.length === 1)
    show({ title: titleOf(first), body: bodyOf(first), tag: first.key, onClick: () => open(first) });
  else
    show({
      title: t('notifications.several', { count: untold.length }),
      body: untold.slice(0, 4).map(titleOf).join('\n'),
      tag: untold.map(({ key }) => key).join(),
      onClick: () => open(null),
    });
}

function isWanted({ kind, session }: News, { on, kinds, muted }: Settings): boolean {
  return on && kinds[kind] && !muted.includes(session.id);
}
