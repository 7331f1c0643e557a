/**
 * What the device remembers for a session: text the person typed and text the server has not confirmed. A
 * browser may refuse storage (private mode, a full disk); then it is remembered until the page is closed.
 */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What a browser that refuses its storage altogether would have kept. It goes with the page. */
const keptHere = new Map<string, string>();

/** This browser's; where even asking for it is refused, one that remembers until the page is closed. */
export function deviceStorage(): DeviceStorage {
  try {
    return localStorage;
  } catch {
    return {
      getItem: (key) => keptHere.get(key) ?? null,
      setItem: (key, value) => void keptHere.set(key, value),
      removeItem: (key) => void keptHere.delete(key),
    };
  }
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
