import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useStore } from 'zustand';
import { useInbox } from '../inbox/inbox-context.ts';
import { askedBy } from '../inbox/waiting.ts';
import { useAimStore } from '../state/aim.ts';
import { deviceStorage } from '../state/device-storage.ts';
import { useServices } from '../state/services.ts';
import { useTitleMark } from '../ui/use-title.ts';
import { useAttended } from '../ui/use-visible.ts';
import { announce } from './announce.ts';
import { showNotice } from './browser-notices.ts';
import { DeviceLocks } from './device-locks.ts';
import { type Known, type News, newsIn } from './news.ts';
import { type SettingsStore, settingsStore } from './settings.ts';
import { useFavicon } from './use-favicon.ts';
import { NotificationsContext } from './use-notifications.ts';
import { useUnseen } from './use-unseen.ts';

/** Around every page: tells of what happens in all sessions, by the browser's notifications and on the tab itself. */
export function Notifications({ children }: { children: ReactNode }) {
  const { api } = useServices();
  const place = api.base.pathname;
  const [settings] = useState(() => settingsStore(place, deviceStorage()));
  const [locks] = useState(() => new DeviceLocks(place, deviceStorage(), navigator.locks));
  const session = useSessionInView();
  useEffect(() => (session === null ? undefined : locks.look(session)), [locks, session]);
  useAnnouncing(settings, locks);
  useTabMarks(settings);
  return <NotificationsContext value={settings}>{children}</NotificationsContext>;
}

function useSessionInView(): string | null {
  const [search] = useSearchParams();
  const isAttended = useAttended();
  return isAttended ? search.get('session') : null;
}

/** Compares every overview with the one before. */
function useAnnouncing(settings: SettingsStore, locks: DeviceLocks): void {
  const { overview } = useServices();
  const open = useOpen();
  const known = useRef<Known | null>(null);
  useEffect(() => {
    const look = (workspaces: readonly WorkspaceSummary[] | null) => {
      if (workspaces === null) return;
      const found = newsIn(known.current, workspaces);
      known.current = found.known;
      const show = (notice: Parameters<typeof showNotice>[1]) => showNotice(globalThis.Notification, notice);
      announce(found.news, { settings: settings.getState(), locks, show, open });
    };
    look(overview.getState().workspaces);
    return overview.subscribe(({ workspaces }) => look(workspaces));
  }, [overview, settings, locks, open]);
}

/** Goes to what a notification is about: the session, and the ask in it. */
function useOpen(): (news: News | null) => void {
  const [, navigate] = useLocation();
  const aims = useAimStore();
  const now = useRef(navigate);
  useEffect(() => {
    now.current = navigate;
  });
  return useRef((news: News | null) => {
    if (news === null) return now.current('/');
    const { workspace, session, ask } = news;
    aims.setState({ aim: { session: askedBy(news), ask: ask?.id ?? null } });
    now.current(`/w/${encodeURIComponent(workspace.id)}?${new URLSearchParams({ session: session.id })}`);
  }).current;
}

/** The tab's title and icon: how many wait, or that there is something to look at. */
function useTabMarks(settings: SettingsStore): void {
  const { count } = useInbox();
  const muted = useStore(settings, (state) => state.muted);
  const news = useUnseen(muted);
  useTitleMark(count > 0 ? `(${count})` : news ? '•' : '');
  useFavicon({ waiting: count, news });
}
