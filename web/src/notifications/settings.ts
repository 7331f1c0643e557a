/** What this device is told of. Read from every tab; changed in one, it counts in all. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';
import { type Kind, kinds } from './news.ts';

export type Settings = {
  /** Whether the browser shows notifications. Title and icon of the tab tell of news anyway. */
  on: boolean;
  kinds: Readonly<Record<Kind, boolean>>;
  /** Sessions that are not told of. */
  muted: readonly string[];
};

export type SettingsStore = StoreApi<Settings>;

/** The newest so many sessions stay muted; closed ones are not looked for. */
const MUTED_KEPT = 500;

export const startingSettings: Settings = {
  on: false,
  kinds: { done: true, waiting: true, failed: true },
  muted: [],
};

/** `place` tells servers on one host apart. */
export function settingsStore(place: string, storage: DeviceStorage): SettingsStore {
  const key = `tscodex.notify.${place}`;
  const store = createStore<Settings>(() => parse(remembered(storage, key)));
  store.subscribe((settings) => remember(storage, key, JSON.stringify(settings)));
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key === key) store.setState(parse(event.newValue));
  });
  return store;
}

export function withMuted(settings: Settings, session: string, muted: boolean): Settings {
  const others = settings.muted.filter((id) => id !== session);
  return { ...settings, muted: muted ? [...others, session].slice(-MUTED_KEPT) : others };
}

/** Anybody may have written it: what is no setting counts as not set. */
function parse(text: string | null): Settings {
  const written = readObject(text);
  const known = readObject(written.kinds);
  return {
    on: written.on === true,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, known[kind] !== false])) as Settings['kinds'],
    muted: Array.isArray(written.muted) ? written.muted.filter((id) => typeof id === 'string') : [],
  };
}

function readObject(value: unknown): Record<string, unknown> {
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {}; // cut off by a full disk
  }
}
