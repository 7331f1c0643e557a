/**
 * What the device remembers for a session: text the person typed and text the server has not confirmed. A
 * browser may refuse storage (private mode, a full disk); then it is remembered until the page is closed.
 */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What a browser that refuses its storage altogether would have kept. It goes with the page. */
const forDevice = keptHere();
const forTab = keptHere();

/** This browser's; where even asking for it is refused, one that remembers until the page is closed. */
export function deviceStorage(): DeviceStorage {
  try {
    return localStorage;
  } catch {
    return forDevice;
  }
}

/** What goes with the tab and is no other's; refused, it goes with the page. */
export function tabStorage(): DeviceStorage {
  try {
    return sessionStorage;
  } catch {
    return forTab;
  }
}

function keptHere(): DeviceStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** Reads a value; null when there is none or the browser refuses. */
export function remembered(storage: DeviceStorage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null; // refused: the same as nothing remembered
  }
}

/** Writes a value; null forgets it. */
export function remember(storage: DeviceStorage, key: string, value: string | null): void {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch {
    // refused or full: the caller still holds the value in memory
  }
}
