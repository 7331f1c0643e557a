/** Rules about commands with who made them here, and when: Codex's files have no place for that. */
import type { Rule, RuleList } from '@tscodex/shared/permissions';
import type { Rules } from '../../approvals/rules.ts';
import type { Database } from '../../base/database.ts';

type Made = NonNullable<Rule['made']>;

export class SavedRules {
  constructor(
    private readonly rules: Pick<Rules, 'add' | 'list' | 'remove'>,
    private readonly db: Database,
  ) {}

  /** As `Rules.add`; remembers who did. One that was there already stays whosever it was. */
  async add(prefix: readonly string[], forCommand: string, by: string | null): Promise<void> {
    if (!(await this.rules.add(prefix, forCommand))) return;
    const { rules } = await this.rules.list();
    const here = JSON.stringify(rules.flatMap((rule) => keyOf(rule) ?? []));
    await this.db.write((run) => {
      // those that somebody has taken out by hand
      run('DELETE FROM rules_made WHERE prefix NOT IN (SELECT value FROM json_each(?))', here);
      run(
        'INSERT OR REPLACE INTO rules_made (prefix, made_by, made_at) VALUES (?, ?, ?)',
        ...[JSON.stringify(prefix), by, new Date().toISOString()],
      );
    });
  }

  async list(): Promise<RuleList> {
    const list = await this.rules.list();
    const rows = this.db.read<{ prefix: string; made_by: string | null; made_at: string }>(
      'SELECT prefix, made_by, made_at FROM rules_made',
    );
    const made = new Map<string, Made>(
      rows.map(({ prefix, made_by, made_at }) => [prefix, { by: made_by, at: made_at }]),
    );
    return { ...list, rules: list.rules.map((rule) => withMaker(rule, made.get(keyOf(rule) ?? ''))) };
  }

  /** As `Rules.remove`. */
  async remove(id: string): Promise<Rule> {
    const rule = await this.rules.remove(id);
    await this.db.write('DELETE FROM rules_made WHERE prefix = ?', keyOf(rule));
    return rule;
  }
}

/** null for a rule that is not made here. */
function keyOf({ pattern, decision }: Rule): string | null {
  const isPlain = decision === 'allow' && pattern.every((word) => typeof word === 'string');
  return isPlain ? JSON.stringify(pattern) : null;
}

function withMaker(rule: Rule, made: Made | undefined): Rule {
  return made === undefined ? rule : { ...rule, made };
}
