/** What people have allowed for the rest of a session: whoever did is known, and it can be taken back. */
import type { SessionGrant } from '@tscodex/shared/asks';
import type { Notice } from '@tscodex/shared/items';
import { BRIEF_LIMIT } from '@tscodex/shared/limits';
import type { Grants } from '@tscodex/shared/permissions';
import { filesIn } from '../../approvals/session-grants.ts';
import { Failure } from '../../base/errors.ts';
import { withGrants } from '../../tools/grants.ts';
import { notice } from '../notice.ts';
import type { AskRow, SessionStore } from '../session-store.ts';

/** The oldest beyond that is forgotten: what it allowed asks again. */
const KEPT = 500;
/** Files of a patch that are listed. */
const PATHS_SHOWN = 20;

type Kept = { keys: ReadonlySet<string>; permissions: Grants; shown: SessionGrant };

export class KeptGrants {
  /** By ask, oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly store: Pick<SessionStore, 'grantedForSession' | 'takeBackGrant'>) {
    for (const row of store.grantedForSession(KEPT)) this.add(row);
  }

  get count(): number {
    return this.#kept.size;
  }

  /** Takes the answer "for this session" to an ask. */
  add(row: AskRow): void {
    this.#kept.set(row.ask.id, {
      keys: new Set(row.grants),
      permissions: permissionsIn(row),
      shown: shown(row),
    });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Who has allowed it last; undefined where nobody has. */
  allowedBy(key: string): { by: string | null } | undefined {
    const found = [...this.#kept.values()].findLast(({ keys }) => keys.has(key));
    return found && { by: found.shown.by };
  }

  /** All that commands may do beyond the sandbox. */
  permissions(): Grants {
    return [...this.#kept.values()].reduce<Grants>((all, one) => withGrants(all, one.permissions), {});
  }

  /** The newest first. */
  list(): SessionGrant[] {
    return [...this.#kept.values()].map((one) => one.shown).reverse();
  }

  /** It does not hold any more once this resolves. Throws `grant.unknown` for one that does not hold now. */
  async takeBack(id: string, by: string | null): Promise<SessionGrant> {
    await (this.#kept.has(id) ? this.store.takeBackGrant(id, by) : undefined);
    const found = this.#kept.get(id);
    if (found === undefined)
      throw new Failure('notFound', 'grant.unknown', 'This is not allowed any more: somebody took it back.');
    this.#kept.delete(id);
    return found.shown;
  }
}

/** What an ask was about that holds for more than one call. */
export function permissionsIn({ ask: { approval } }: Pick<AskRow, 'ask'>): Grants {
  return (approval?.what === 'permissions' && approval.grants) || {};
}

function shown({ ask, grants: keys, by, at }: AskRow): SessionGrant {
  const { what = 'command', command, cwd, sandbox, grants } = ask.approval ?? {};
  const files = what === 'patch' ? filesIn(keys) : [];
  return {
    ...{ id: ask.id, what, by, at: at ?? ask.openedAt },
    ...(command === undefined ? {} : { command: command.slice(0, BRIEF_LIMIT) }),
    ...(cwd === undefined || what !== 'command' ? {} : { cwd }),
    ...(sandbox === undefined || what === 'permissions' ? {} : { sandbox }),
    ...(files.length === 0 ? {} : { paths: files.slice(0, PATHS_SHOWN) }),
    ...(files.length > PATHS_SHOWN ? { morePaths: files.length - PATHS_SHOWN } : {}),
    ...(grants === undefined || what === 'patch' ? {} : { grants }),
  };
}

/** What tells everybody that it is asked about again. */
export function takenBack(grant: SessionGrant, by: string | null): Notice {
  const { command, paths = [], morePaths = 0 } = grant;
  const subject = command ?? (morePaths > 0 ? [...paths, '…'] : paths).join(', ');
  const who = by ?? 'Somebody';
  const [code, text] =
    grant.what === 'permissions'
      ? ([
          'session.permissionsTakenBack',
          `${who} took back permissions that were allowed for this session.`,
        ] as const)
      : ([
          'session.grantTakenBack',
          `${who} took back what was allowed for this session: ${subject}`,
        ] as const);
  return notice('info', code, text, { details: { by, subject, ...grant.grants } });
}
