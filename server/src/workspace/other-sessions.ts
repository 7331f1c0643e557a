/** The sessions that somebody who types in one may go to: those of its workspace first, then the others. */
import type { CatalogEntry, CatalogQuery } from '@tscodex/shared/catalog';

const LISTED = 20;
/** Those of other directories have some places of the list. */
const OWN = 15;

type Ports = {
  list(query: CatalogQuery): { sessions: CatalogEntry[] };
  open(workspaceId: string, sessionId: string): Promise<unknown>;
};

export class OtherSessions {
  /** As they were told last: a number means that one, whatever has happened since. */
  #told: CatalogEntry[] = [];

  constructor(
    private readonly session: { id: string; workspaceId: string },
    private readonly ports: Ports,
  ) {}

  /** The newest. */
  list(): CatalogEntry[] {
    const { workspaceId } = this.session;
    const own = this.#found({ workspace: workspaceId });
    const others = this.#found({}).filter((entry) => entry.workspaceId !== workspaceId);
    const places = Math.max(OWN, LISTED - others.length);
    this.#told = [...own.slice(0, places), ...others].slice(0, LISTED);
    return this.#told;
  }

  /** What is meant by a number of the list, an id, the beginning of one, a title or words of it. */
  find(words: string): CatalogEntry[] {
    if (/^\d{1,2}$/.test(words)) {
      const told = this.#told.length > 0 ? this.#told : this.list();
      return told.slice(Number(words) - 1, Number(words)).filter(() => Number(words) > 0);
    }
    const found = [...this.#found({ q: words }), ...this.#found({ q: words, archived: true })];
    const exact = found.filter(({ id, title }) => [id, title?.toLowerCase()].includes(words.toLowerCase()));
    return exact.length > 0 ? exact : found;
  }

  /** In its own workspace, or here. */
  async open({ id, workspaceId }: CatalogEntry): Promise<{ workspaceId: string }> {
    const workspace = workspaceId ?? this.session.workspaceId;
    await this.ports.open(workspace, id);
    return { workspaceId: workspace };
  }

  #found(query: Partial<CatalogQuery>): CatalogEntry[] {
    const { sessions } = this.ports.list({ archived: false, limit: LISTED + 1, ...query });
    return sessions.filter(({ id }) => id !== this.session.id);
  }
}
