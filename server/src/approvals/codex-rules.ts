/** The same rules where Codex decides by them. */
import type { NoRule } from '@tscodex/shared/asks';
import { Failure } from '../base/errors.ts';
import { programName } from './program-name.ts';
import type { Rules } from './rules.ts';

/**
 * Codex lets out of the sandbox what begins with a rule's words, and looks at nothing else: not at whether an agent
 * has written what the repository tells git to run. So none is made of git there.
 */
export class CodexRules {
  constructor(private readonly rules: Pick<Rules, 'judge' | 'noRule' | 'add' | 'list' | 'remove'>) {}

  /** What to offer for a command that Codex proposes a rule for: its own where that will do. */
  async offer(
    command: string,
    proposed: readonly string[],
  ): Promise<{ rule: string[] } | { noRule?: NoRule }> {
    const judgement = await this.rules.judge(command, { prefixRule: proposed });
    const { proposal, git } = judgement;
    const isOfGit = git !== undefined || namesGit(proposal ?? []);
    if (proposal !== null && !isOfGit) return { rule: proposal };
    const noRule = await this.rules.noRule(command, { ...judgement, proposal: null });
    if (proposal !== null) return { noRule: 'git' };
    return noRule === null ? {} : { noRule };
  }

  /** As `Rules.add`; throws `rules.prefix` for git as well. */
  async add(prefix: readonly string[], forCommand: string): Promise<boolean> {
    if (namesGit(prefix)) throw ofGit(prefix);
    return this.rules.add(prefix, forCommand);
  }

  list: Rules['list'] = () => this.rules.list();
  remove: Rules['remove'] = (id) => this.rules.remove(id);
}

/** Also behind what starts it, as `npx`. */
function namesGit(prefix: readonly string[]): boolean {
  return prefix.some((word) => programName(word).toLowerCase() === 'git');
}

function ofGit(prefix: readonly string[]): Failure {
  const words = prefix.join(' ');
  return new Failure(
    'invalid',
    'rules.prefix',
    `No rule can be made of "${words}": Codex would follow it in every repository, and agents can change what git runs there.`,
    { details: { git: words } },
  );
}
