import type { Permissions } from '@tscodex/shared/permissions';

/** What people have set for a session, and where it works. */
export type HeldAs = Permissions & {
  cwd: string;
  writableRoots: readonly string[];
  slashTmp: boolean;
  tmpdir: boolean;
  /** Variables that no command gets. */
  hidden: readonly string[];
};
