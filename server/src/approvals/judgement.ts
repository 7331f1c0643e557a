/** What is known of a command before anybody is asked. */
import type { Risk, Rule } from '@tscodex/shared/permissions';

export type Judgement = {
  /** What the rules say of the whole command; null where none says anything, or not of each of its parts. */
  rule: Rule['decision'] | null;
  /** A rule's own words for a prompt or a refusal. */
  justification?: string;
  /** It only reads, whatever its arguments are. */
  knownSafe: boolean;
  risk: Risk | null;
  /**
   * The first words that as a rule would allow the whole command from now on. Null where none may be offered: the
   * command is risky, its words cannot be told for certain, or too much would begin like it.
   */
  proposal: string[] | null;
  /**
   * Set where rules allow it and it is one program and nothing else: it is then started with these words and
   * without a shell, so that no profile, alias or function can change what they mean.
   */
  direct: string[] | null;
};
