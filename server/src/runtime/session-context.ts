/** What the agent of one session is told before the conversation, put together from all who have a say in it. */
import type { Item } from '@tscodex/shared/items';
import type { Config } from '../base/config/config.ts';
import type { MessageItem } from '../base/response-items.ts';
import { contextSections } from '../context/assemble.ts';
import { baseInstructions } from '../context/base-instructions.ts';
import type { ContextSections } from '../context/context-changes.ts';
import type { ContextProblem } from '../context/context-problem.ts';
import { permissionsText } from '../context/permissions-text.ts';
import { WrittenContext } from '../context/written-context.ts';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { notice } from './notice.ts';
import type { SessionPermissions, WorkspaceRules } from './session-permissions.ts';
import { readsOf } from './session-reads.ts';

type Parts = {
  cwd: string;
  config: Config;
  permissions: SessionPermissions;
  sandbox: Pick<Sandbox, 'problem' | 'owners'>;
  boardPath(): string | null;
  workspace(): WorkspaceRules;
  /** What the conversation shows already, notices among it. */
  shown: readonly Item[];
};

export class SessionContext {
  readonly #written: WrittenContext;
  #instructions: string | null = null;
  /** The texts of notices that stand in the conversation. */
  readonly #noticed: Set<string>;

  constructor(private readonly parts: Parts) {
    const { cwd, config, permissions, sandbox, shown } = parts;
    const { codexHome, instructions, projectDocMaxBytes, projectDocFallbacks } = config;
    const reads = () => readsOf(cwd, permissions, sandbox.owners);
    this.#written = new WrittenContext({
      ...{ codexHome, cwd, instructions, reads },
      ...{ projectDocMaxBytes, projectDocFallbacks },
    });
    this.#noticed = new Set(shown.flatMap((item) => (item.type === 'notice' ? [item.text] : [])));
  }

  /** Who the agent is. */
  get instructions(): string {
    if (this.#instructions === null) throw new Error('the context was not prepared');
    return this.#instructions;
  }

  /**
   * To be awaited at the start of a turn: looks through what people wrote for agents, and returns what they are to be
   * told of it. Instructions are read once. Throws `config.instructions`; the next call tries again.
   */
  async prepare(): Promise<Item[]> {
    this.#instructions ??= await baseInstructions(this.parts.config.instructions);
    const problems = await this.#written.refresh();
    const codes = [...new Set(problems.map(({ code }) => code))];
    const notices = codes.map((code) => noticeOf(code, problems));
    const fresh = notices.filter(({ text }) => !this.#noticed.has(text));
    for (const { text } of fresh) this.#noticed.add(text);
    return fresh;
  }

  /** As of now; what is in files as of the last `prepare`. */
  sections(): ContextSections {
    const { cwd, config, permissions, sandbox, boardPath, workspace } = this.parts;
    const { current, writableRoots } = permissions;
    return contextSections({
      ...{ cwd, workspaceDir: workspace().dir, boardPath: boardPath(), now: new Date() },
      permissions: permissionsText({ permissions: current, problem: sandbox.problem, writableRoots, cwd }),
      developerInstructions: config.instructions.developer,
      ...this.#written.texts,
    });
  }

  skillsNamedIn(text: string, turnId: string): Promise<MessageItem[]> {
    return this.#written.skillsNamedIn(text, turnId);
  }
}

/** Files named in one notice. */
const MOST_NAMED = 5;

function noticeOf(code: ContextProblem['code'], problems: readonly ContextProblem[]) {
  const sentences = problems
    .filter((problem) => problem.code === code)
    .map(({ path, why }) => `${path}: ${why}.`);
  const more = sentences.length - MOST_NAMED;
  const files = [...sentences.slice(0, MOST_NAMED), ...(more > 0 ? [`… +${more}`] : [])].join(' ');
  return notice('warning', code, `${WHAT[code]} ${files}`, { details: { files } });
}

const WHAT = {
  'context.agentsMd': 'What is written for agents here does not all reach the agent.',
  'context.skills': 'Some skills cannot be used as they are.',
};
