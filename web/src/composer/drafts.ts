/** The unsent text of each session, kept on this device (O-F7): over a switch of sessions, over a reload. */
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';

const key = (sessionId: string) => `tscodex.draft.${sessionId}`;

export function readDraft(storage: DeviceStorage, sessionId: string): string {
  return remembered(storage, key(sessionId)) ?? '';
}

export function writeDraft(storage: DeviceStorage, sessionId: string, text: string): void {
  remember(storage, key(sessionId), text === '' ? null : text);
}
