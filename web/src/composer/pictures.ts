/**
 * The images of an unsent message (O-F7). Each goes to the server at once, so that only its id has to be kept with
 * the draft: over a switch of sessions, over a reload. One that is not up yet is held in memory.
 */
import type { Attachment } from '@tscodex/shared/items';
import { ATTACHMENTS_LIMIT } from '@tscodex/shared/limits';
import { v7 as uuid } from 'uuid';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ApiProblem } from '../api/http.ts';
import type { ImagePlace } from '../images/image-place.ts';
import { t } from '../messages/messages.ts';
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';
import { ImageRefused, type PreparedImage, prepareImage } from './prepare-image.ts';

export type Picture = {
  key: string;
  name: string;
  state: 'preparing' | 'uploading' | 'ready' | 'failed';
  /** From 0 to 1. */
  progress: number;
  /** Why it failed. */
  reason: string | null;
  /** What it looks like, as long as this page has its bytes. */
  preview: string | null;
  /** Once the server has it. */
  image: Attachment | null;
};

export type Attached = {
  pictures: readonly Picture[];
  /** Why files were not taken. */
  problem: string | null;
};

type Upload = { prepared: PreparedImage; stop: AbortController; unreachable: boolean };

const keyOf = (sessionId: string) => `tscodex.images.${sessionId}`;

export class Pictures {
  readonly state: StoreApi<Attached>;
  readonly #uploads = new Map<string, Upload>();
  /** One is read at a time: a photo takes many times its size. */
  #line: Promise<void> = Promise.resolve();
  /** Who has those that were on their way. */
  #heir: Pictures | null = null;

  constructor(
    private sessionId: string,
    private readonly storage: DeviceStorage,
    /** Another in tests: it needs a browser that draws. */
    private readonly prepare = prepareImage,
  ) {
    const pictures = this.#stored().map(ready);
    this.state = createStore(() => ({ pictures, problem: null }));
  }

  get all(): readonly Picture[] {
    return this.state.getState().pictures;
  }

  /** Takes files over and puts them up. */
  add(files: readonly File[], place: ImagePlace): void {
    const room = Math.max(0, ATTACHMENTS_LIMIT - this.all.length);
    const taken = files.slice(0, room);
    const problem = taken.length < files.length ? t('images.tooMany', { count: ATTACHMENTS_LIMIT }) : null;
    const added = taken.map((file) => ({ file, picture: preparing(file.name) }));
    this.#set({ pictures: [...this.all, ...added.map(({ picture }) => picture)], problem });
    for (const { file, picture } of added)
      this.#line = this.#line.then(() => this.#begin(picture.key, file, place));
  }

  /** Puts up again what failed. */
  retry(key: string, place: ImagePlace): void {
    const upload = this.#uploads.get(key);
    if (upload && this.#find(key)?.state === 'failed') void this.#put(key, upload.prepared, place);
  }

  /** Puts up what failed only because no server answered. */
  retryUnreachable(place: ImagePlace): void {
    for (const [key, { unreachable }] of this.#uploads) if (unreachable) this.retry(key, place);
  }

  remove(key: string): void {
    this.#forget(key);
    this.#set({ pictures: this.all.filter((picture) => picture.key !== key), problem: null });
  }

  forgetProblem(): void {
    if (this.state.getState().problem !== null) this.#set({ problem: null });
  }

  /** Whether one is on its way or has to be seen to before all can be sent. */
  get hindrance(): 'wait' | 'mend' | null {
    if (this.all.some(({ state }) => state === 'failed')) return 'mend';
    return this.all.every(({ state }) => state === 'ready') ? null : 'wait';
  }

  /** Hands over all that are ready, and has none any more. */
  take(): Attachment[] {
    const images = readyOf(this.all);
    for (const { key } of this.all) this.#forget(key);
    this.#set({ pictures: [], problem: null });
    return images;
  }

  /** Puts images in front of what is there. */
  putBack(images: readonly Attachment[]): void {
    this.#set({ pictures: [...images.map(ready), ...this.all] });
  }

  /** They are images of `sessionId` from now on, in front of those that are kept there. */
  moveTo(sessionId: string): void {
    if (sessionId === this.sessionId) return;
    remember(this.storage, keyOf(this.sessionId), null);
    this.sessionId = sessionId;
    const there = this.#stored().map(ready);
    if (there.length > 0 || this.all.length > 0) this.#set({ pictures: [...this.all, ...there] });
  }

  /** They are images of `heir` from now on, behind its own, also those that are on their way. */
  handOver(heir: Pictures): void {
    const { all } = this;
    this.#heir = heir;
    for (const [key, upload] of this.#uploads) heir.#uploads.set(key, upload);
    this.#set({ pictures: [], problem: null });
    if (all.length > 0) heir.#set({ pictures: [...heir.all, ...all] });
  }

  /** Who has now what came here. */
  get #owner(): Pictures {
    return this.#heir ? this.#heir.#owner : this;
  }

  async #begin(key: string, file: File, place: ImagePlace): Promise<void> {
    if (!this.#owner.#find(key)) return;
    try {
      const prepared = await this.prepare(file);
      const owner = this.#owner;
      if (!owner.#find(key)) return;
      owner.#change(key, { name: prepared.name, preview: URL.createObjectURL(prepared.blob) });
      void owner.#put(key, prepared, place);
    } catch (problem) {
      this.#owner.remove(key);
      const refused = problem instanceof ImageRefused;
      this.#owner.#set({ problem: refused ? problem.message : t('images.unreadable', { name: file.name }) });
    }
  }

  async #put(key: string, prepared: PreparedImage, place: ImagePlace): Promise<void> {
    const upload = { prepared, stop: new AbortController(), unreachable: false };
    this.#uploads.set(key, upload);
    this.#change(key, { state: 'uploading', progress: 0, reason: null });
    const onProgress = (progress: number) => this.#owner.#change(key, { progress });
    try {
      const image = await place.put(prepared.blob, prepared.name, { signal: upload.stop.signal, onProgress });
      this.#owner.#uploads.delete(key);
      this.#owner.#change(key, { state: 'ready', image });
    } catch (problem) {
      if (upload.stop.signal.aborted) return;
      upload.unreachable = problem instanceof ApiProblem && problem.isUnreachable;
      this.#owner.#change(key, { state: 'failed', reason: (problem as Error).message });
    }
  }

  #find(key: string): Picture | undefined {
    return this.all.find((picture) => picture.key === key);
  }

  #change(key: string, change: Partial<Picture>): void {
    const changed = (picture: Picture) => (picture.key === key ? { ...picture, ...change } : picture);
    this.#set({ pictures: this.all.map(changed) });
  }

  #forget(key: string): void {
    this.#uploads.get(key)?.stop.abort();
    this.#uploads.delete(key);
    const preview = this.#find(key)?.preview;
    if (preview) URL.revokeObjectURL(preview);
  }

  #set(change: Partial<Attached>): void {
    const before = readyOf(this.all);
    this.state.setState(change);
    const images = readyOf(this.all);
    if (images.length === before.length && images.every(({ id }, at) => id === before[at]?.id)) return;
    remember(this.storage, keyOf(this.sessionId), images.length === 0 ? null : JSON.stringify(images));
  }

  #stored(): Attachment[] {
    try {
      return JSON.parse(remembered(this.storage, keyOf(this.sessionId)) ?? '[]') as Attachment[];
    } catch {
      return []; // not ours or cut off: nothing that could be sent
    }
  }
}

function preparing(name: string): Picture {
  const blank = { progress: 0, reason: null, preview: null, image: null };
  return { key: uuid(), name, state: 'preparing', ...blank };
}

function ready(image: Attachment): Picture {
  const { id, name } = image;
  return { key: id, name, state: 'ready', progress: 1, reason: null, preview: null, image };
}

function readyOf(pictures: readonly Picture[]): Attachment[] {
  return pictures.flatMap(({ image }) => (image ? [image] : []));
}
