/**
 * What the tabs of one device agree on, by the browser's locks: which sessions are looked at, and which of the tabs
 * tells of something. Where there are no locks, or the browser refuses them, each tab is on its own.
 */
import { type DeviceStorage, remember, remembered } from '../state/device-storage.ts';

type Locks = Pick<LockManager, 'request' | 'query'>;

/** News that tabs remember having told. */
const TOLD_KEPT = 200;

export class DeviceLocks {
  /** In view in this very tab. */
  readonly #here = new Set<string>();

  /** `place` tells servers on one host apart. */
  constructor(
    private readonly place: string,
    private readonly storage: DeviceStorage,
    private readonly locks: Locks | undefined,
  ) {}

  /** Says that a session is in view, until the returned function is called. The browser ends it with the tab. */
  look(session: string): () => void {
    this.#here.add(session);
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const options = { mode: 'shared' } as const;
    this.locks?.request(this.lookingAt(session), options, () => left).catch(() => undefined); // refused: nobody is told
    return () => {
      this.#here.delete(session);
      leave();
    };
  }

  /** Which of the sessions are in view in some tab. */
  async looked(sessions: readonly string[]): Promise<Set<string>> {
    const { held = [] } = (await this.locks?.query().catch(() => undefined)) ?? {}; // refused: no other tab is known
    const names = new Set(held.map(({ name }) => name));
    return new Set(
      sessions.filter((session) => this.#here.has(session) || names.has(this.lookingAt(session))),
    );
  }

  /** Of the news with these keys, those that no tab has told yet; they count as told from then on. */
  async claim(keys: readonly string[]): Promise<Set<string>> {
    const take = () => {
      const told = this.told();
      const free = keys.filter((key) => !told.includes(key));
      remember(this.storage, this.key, JSON.stringify([...told, ...free].slice(-TOLD_KEPT)));
      return new Set(free);
    };
    // refused: taken without, on this tab's own account
    return this.locks ? this.locks.request(this.key, take).catch(take) : take();
  }

  private told(): string[] {
    try {
      return JSON.parse(remembered(this.storage, this.key) ?? '[]') as string[];
    } catch {
      return []; // cut off by a full disk
    }
  }

  private get key(): string {
    return `tscodex.told.${this.place}`;
  }

  private lookingAt(session: string): string {
    return `tscodex.looking.${this.place} ${session}`;
  }
}
