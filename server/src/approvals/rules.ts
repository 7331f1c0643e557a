/** The rules that people have saved about commands, in files Codex reads as well, and what they say of a command. */
import type { RuleList } from '@tscodex/shared/permissions';
import { Failure } from '../base/errors.ts';
import type { Judgement } from './judgement.ts';

export class Rules {
  constructor(readonly codexHome: string) {}

  /** Of a command as bash would read it. Never throws: what cannot be told is not allowed by a rule. */
  async judge(_command: string, _options: { prefixRule?: readonly string[] } = {}): Promise<Judgement> {
    return { rule: null, knownSafe: false, risk: null, proposal: null, direct: null };
  }

  /** All of them, `dir` absolute. */
  async list(): Promise<RuleList> {
    return { dir: this.codexHome, rules: [], problems: [] };
  }

  /**
   * Allows from now on what begins with these words, for the sake of this command. Throws `rules.prefix` when
   * too much would begin like that or no part of the command does, `rules.write` when the disk refuses.
   */
  async add(prefix: readonly string[], _forCommand: string): Promise<void> {
    throw new Failure('unavailable', 'rules.write', `cannot save a rule for ${prefix.join(' ')} yet`);
  }

  /** Throws `rules.unknown` where it is gone or was changed meanwhile, `rules.write` when the disk refuses. */
  async remove(id: string): Promise<void> {
    throw new Failure('notFound', 'rules.unknown', `There is no rule ${id}.`);
  }
}
